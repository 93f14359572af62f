"""Which human scanpath a prediction meets, and which readers a model is compared with.

There is one rule for every command and for Python. A prediction meets the human path that stands
beside it in its file; where the file has none, the corpus gives the path of the same reader, or,
for a prediction that names no reader, the paths of all readers of the sentence. A corpus that has
another path for the same reader and sentence is reported, with counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from scandl.errors import ScandlError
from scandl.records import WHOLE, Positions, Prediction, Scanpath

if TYPE_CHECKING:
    from scandl.corpora import Corpus

Humans = Mapping[str, Sequence[Scanpath]]
"""The human scanpaths of each sentence, one per reader."""

REFERENCES = {
    "tested": "the readers of the items that were predicted",
    "all": "all readers of the corpus who read a predicted sentence",
}
"""Whom a model's paths are compared with as a distribution, and readers with each other.

Models are tested on readers they were not trained on; the paths of training readers would
flatter a model that remembers them. Hence ``tested`` unless something else is asked for.
"""


@dataclass(frozen=True, slots=True)
class Instance:
    """A prediction, and one human reading of the same sentence."""

    prediction: Prediction
    human: Positions
    reader_id: str | None  # whose reading; None when the file does not name readers
    human_durations: tuple[float, ...] | None = None
    text: str | None = None

    @property
    def n_words(self) -> int | None:
        """The number of words of the sentence, where its text is known."""
        return None if self.text is None else _counted(self.text)


@lru_cache(maxsize=2**12)
def _counted(text: str) -> int:
    """Count the words of a text, which is asked for by every reading of it."""
    return len(text.split())


@dataclass(frozen=True, slots=True)
class Pairing:
    """The instances that could be formed, and what did not fit."""

    instances: list[Instance]
    without_human: list[Prediction]  # predictions no human scanpath exists for
    other_humans: list[Prediction]  # whose human path is another one in the corpus
    rule: str  # how predictions met humans, for the metric spec


def pair(predictions: Iterable[Prediction], corpus: Corpus | None = None) -> Pairing:
    """Put each prediction beside its human scanpath.

    Settings and models stay in the order in which they come; what belongs to a model is put in that of
    folds, sentences, readers and samples, so that no number depends on the order of rows.

    >>> given = Prediction("s1", (0, 1), human=(0, 2), reader_id="r1")
    >>> [instance.human for instance in pair([given]).instances]
    [(0, 2)]
    """
    instances: list[Instance] = []
    without: list[Prediction] = []
    other: list[Prediction] = []
    rules: set[str] = set()
    known = corpus.by_pair if corpus is not None else {}
    for prediction in predictions:
        rule, found = _partners(prediction, corpus, known)
        instances += found
        if not found:
            without.append(prediction)
            continue
        rules.add(rule)
        if rule == "given" and _disagrees(prediction, known):
            other.append(prediction)
    _check_texts(instances)
    _check_humans(instances)
    groups = {group: i for i, group in enumerate(dict.fromkeys(_group(i.prediction) for i in instances))}
    instances.sort(key=lambda i: (groups[_group(i.prediction)], *_place(i.prediction, i.reader_id), i.human))
    without.sort(key=lambda p: _place(p, p.reader_id))
    return Pairing(instances, without, other, " and ".join(sorted(rules)) or "none")


def _group(p: Prediction) -> tuple[str, str]:
    return p.setting, p.model


def _place(p: Prediction, reader_id: str | None) -> tuple[Any, ...]:
    """Return what says where a prediction stands among those of its model, whatever row it was in."""
    return p.fold, p.sentence_id, reader_id or "", p.sample, p.predicted, p.durations or ()


def left_out(pairing: Pairing, n_read: int) -> list[str]:
    """Say how many predictions no number rests on, because nobody's scanpath is known for them.

    >>> left_out(pair([Prediction("s1", (0,), human=(0,)), Prediction("s2", (0,))]), n_read=2)
    ["1 of 2 predictions have no human scanpath, left out: sentence 's2'"]
    """
    lost = pairing.without_human
    if not lost:
        return []
    return [f"{len(lost)} of {n_read} predictions have no human scanpath, left out: {named(lost)}"]


def disagreements(pairing: Pairing, n_read: int, corpus: Corpus | None) -> list[str]:
    """Say how many human paths are not those of the corpus: other data, or positions counted from 1."""
    if not pairing.other_humans or corpus is None:
        return []
    return [
        f"{len(pairing.other_humans)} of {n_read} human scanpaths are not those of corpus {corpus.name!r} "
        f"for the same reader and sentence; the file's are used: {named(pairing.other_humans)}"
    ]


def lacking(pairing: Pairing, corpus: Corpus | None) -> list[str]:
    """Say which items a model has no prediction for.

    The items of a setting are those of all its models together; without a setting, which stands for
    the whole corpus, also every scanpath of the corpus, as far as readers are named.
    """
    if corpus is None and len({instance.prediction.model for instance in pairing.instances}) < 2:
        return []
    settings: dict[str, dict[str, set[tuple[str, str]]]] = {}
    for instance, reader in zip(pairing.instances, reader_ids(pairing.instances), strict=True):
        p = instance.prediction
        settings.setdefault(p.setting, {}).setdefault(p.model, set()).add((reader, p.sentence_id))
    notes = []
    for setting, models in settings.items():
        wanted = dict.fromkeys(sorted(set().union(*models.values())))
        if corpus is not None and setting == WHOLE and all(is_named(reader) for reader, _ in wanted):
            wanted |= dict.fromkeys(corpus.by_pair)
        for model, items in models.items():
            lacks = [item for item in wanted if item not in items]
            if lacks:
                of = f"{len(lacks)} of the {len(wanted)} items of setting {setting!r}"
                notes.append(f"{model} has no prediction for {of}: {named_items(lacks)}")
    return notes


def reference_readers(
    instances: Iterable[Instance], corpus: Corpus | None = None, reference: str = "tested"
) -> Humans:
    """Return the human scanpaths that models are compared with, one per reader and sentence, in their order.

    With ``all``, readers of the corpus join those of the instances, whose own paths stay. A reader
    who is not named may be one of the corpus, and would then meet a copy: in that case the
    instances stand alone.
    """
    found: dict[str, dict[str, Scanpath]] = {}
    given = list(instances)
    for instance, reader in zip(given, reader_ids(given), strict=True):
        paths = found.setdefault(instance.prediction.sentence_id, {})
        if reader not in paths:
            paths[reader] = Scanpath(
                reader, instance.prediction.sentence_id, instance.human, instance.human_durations
            )
    named = all(instance.reader_id is not None for instance in given)
    if reference == "all" and corpus is not None and named:
        for sentence, paths in found.items():
            for path in corpus.by_sentence.get(sentence, ()):
                paths.setdefault(path.reader_id, path)
    return {
        sentence: tuple(path for _, path in sorted(found[sentence].items())) for sentence in sorted(found)
    }


SHOWN = 5  # items that are named before the rest is only counted
UNNAMED = "unnamed reader "
"""What the identity of a reader begins with whom the file does not name."""


def is_named(reader_id: str) -> bool:
    """Say whether a reader is known by name."""
    return not reader_id.startswith(UNNAMED)


def reader_ids(instances: Iterable[Instance]) -> list[str]:
    """Return whose reading each instance is compared with.

    An unnamed reader is known by the path that was read: the same path beside another sample or
    another model is the same reading; the same path twice for one sample of one model is two.
    """
    seen: Counter[tuple[object, ...]] = Counter()
    found = []
    for instance in instances:
        reader = instance.reader_id
        if reader is None:
            p = instance.prediction
            same = (p.model, p.setting, p.sentence_id, p.sample, instance.human)
            seen[same] += 1
            reader = f"{UNNAMED}{instance.human} #{seen[same]}"
        found.append(reader)
    return found


def _partners(
    prediction: Prediction, corpus: Corpus | None, known: Mapping[tuple[str, str], Scanpath]
) -> tuple[str, list[Instance]]:
    sentence = corpus.sentences.get(prediction.sentence_id) if corpus is not None else None
    text = sentence.text if sentence is not None else prediction.text
    reader = prediction.reader_id
    own = known.get((reader, prediction.sentence_id)) if reader is not None else None
    if prediction.human is not None:
        durations = own.durations if own is not None and own.positions == prediction.human else None
        return "given", [Instance(prediction, prediction.human, reader, durations, text)]
    if corpus is None:
        return "none", []
    humans: Sequence[Scanpath] = () if own is None else (own,)
    if reader is None:
        humans = corpus.by_sentence.get(prediction.sentence_id, ())
    return "all readers" if reader is None else "same reader", [
        Instance(prediction, human.positions, human.reader_id, human.durations, text) for human in humans
    ]


def _disagrees(prediction: Prediction, known: Mapping[tuple[str, str], Scanpath]) -> bool:
    if prediction.reader_id is None:
        return False
    path = known.get((prediction.reader_id, prediction.sentence_id))
    return path is not None and path.positions != prediction.human


def _check_texts(instances: Iterable[Instance]) -> None:
    """Refuse a sentence that has two texts: its words would be counted in two ways."""
    texts: dict[str, str] = {}
    for instance in instances:
        if instance.text is None:
            continue
        sentence = instance.prediction.sentence_id
        first = texts.setdefault(sentence, instance.text)
        if first != instance.text and first.split() != instance.text.split():
            raise ScandlError(
                f"sentence {sentence!r} has two texts: found {first!r} and {instance.text!r}, "
                "expected one text for each sentence_id"
            )


def _check_humans(instances: Iterable[Instance]) -> None:
    """Refuse a reader with two paths through one sentence: nobody can say which is meant."""
    paths: dict[tuple[str, str], Positions] = {}
    for instance in instances:
        if instance.reader_id is None:
            continue
        key = (instance.reader_id, instance.prediction.sentence_id)
        first = paths.setdefault(key, instance.human)
        if first != instance.human:
            raise ScandlError(
                f"reader {key[0]!r}, sentence {key[1]!r} has two human scanpaths: found {_path(first)} and "
                f"{_path(instance.human)}, expected one"
            )


def _path(words: Positions) -> str:
    return repr(" ".join(map(str, words)))


def named(predictions: Sequence[Prediction]) -> str:
    """Name the first few predictions and count the rest."""
    return named_items([(p.reader_id or "", p.sentence_id) for p in predictions])


def named_items(items: Sequence[tuple[str, str]]) -> str:
    """Name the first few (reader, sentence) and count the rest."""
    names = [
        f"sentence {sentence!r}" + (f" of reader {reader!r}" if reader and is_named(reader) else "")
        for reader, sentence in items[:SHOWN]
    ]
    more = len(items) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")

"""What readers are expected to do with each word of a text, of any length: many of them, expected durations.

A text is read in displays of at most 60 words, as the texts that models have learned from were shown. The
same readers read every text. Where the network says how long a fixation is expected to last, that is used in
place of a drawn duration, so that less of a difference between texts is chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from scandl.errors import ScandlError
from scandl.measures.word_measures import TIME_MEASURES, times
from scandl.models.model import Model
from scandl.models.pointer.condition import PARAGRAPH, SENTENCE, task_of
from scandl.models.readings import ReaderChoice
from scandl.models.trained_model import TrainedModel
from scandl.records import Scanpath, Sentence
from scandl.text.word_facts import ends_sentence

Array = NDArray[np.float64]

MOST = 60
"""Words of a display, at most."""
READERS = 48
"""Who read a text, unless one says otherwise."""
_FACTS = ("total", "first_pass", "skipped", "regression")
_TOGETHER = 2_000  # paths drawn for some texts at once


@dataclass(frozen=True, slots=True, eq=False)
class WordReadings:
    """What each reader did with each word of a text: arrays (readers, samples, words)."""

    total: Array  # ms of all fixations, 0 for a word that was not fixated
    first_pass: Array  # ms of the first pass, 0 for a word that was skipped in it
    skipped: Array  # 1: not fixated in first pass
    regression: Array  # 1: the first pass ended with a step to the left


def displays(words: Sequence[str], most: int = MOST) -> list[range]:
    """Cut a text into displays of about the same length, at ends of sentences where there are some.

    >>> displays("One two. Three four five. Six.".split(), most=4)
    [range(0, 2), range(2, 6)]
    """
    found, start, end = [], 0, len(words)
    while end - start > most:
        n_left = -(-(end - start) // most)
        ideal = start + (end - start) / n_left
        least = max(start + most // 3, end - (n_left - 1) * most)  # no display more than there have to be
        places = [k for k in range(least, start + most + 1) if ends_sentence(words[k - 1])]
        cut = min(places, key=lambda k: abs(k - ideal), default=round(ideal))
        found.append(range(start, cut))
        start = cut
    return [*found, range(start, end)]


def ready(model: Model, context: str) -> Model:
    """Return a model whose durations are expected ones and that knows a source of context, where it can."""
    named = model.with_readers()
    return named.with_context(context).expecting() if isinstance(named, TrainedModel) else named


def usual_task(texts: Iterable[Sentence]) -> str:
    """Return the task that most texts are: it is one for all of them, because tasks have other readers.

    >>> usual_task([Sentence("s", "The cat sat.")])
    'sentence'
    """
    tasks = [task_of(text.words[:MOST]) for text in texts]
    return PARAGRAPH if 2 * tasks.count(PARAGRAPH) > len(tasks) else SENTENCE


def expected_readings(
    model: Model,
    texts: Iterable[Sentence],
    *,
    readers: int = READERS,
    samples: int = 1,
    first_sample: int = 0,
    group: str | None = None,
    task: str = "",
    seed: int = 1,
) -> Iterator[WordReadings]:
    """Yield what the readers do with each text, in their order; few texts are held at once.

    Random numbers depend on the item of a text, the reader and the sample. So versions of one item are read
    with the same ones, and their difference is less by chance. Samples count from ``first_sample``.
    """
    if readers < 1 or samples < 1:
        raise ScandlError(f"found {readers} readers and {samples} samples, expected at least 1 of each")
    who = ReaderChoice(readers, group=group, task=task if isinstance(model, TrainedModel) else "")
    who.check(model)
    rest = iter(texts)
    while some := list(islice(rest, max(1, _TOGETHER // (readers * samples)))):
        parts = [_parts(text) for text in some]
        requests = [
            replace(request, sample=first_sample + request.sample)
            for own in parts
            for part in own
            for request in who.requests(part, samples)
        ]
        paths = iter(model.read(requests, seed=seed))
        for own in parts:
            yield _joined(
                [_facts(list(islice(paths, readers * samples)), part, model) for part in own], readers
            )


def joined_samples(first: WordReadings, more: WordReadings) -> WordReadings:
    """Return the readings of the same readers with further samples."""
    return WordReadings(
        *(np.concatenate([getattr(first, fact), getattr(more, fact)], axis=1) for fact in _FACTS)
    )


def _parts(text: Sentence) -> list[Sentence]:
    """Return the displays of a text, named after its item."""
    if not text.n_words:
        raise ScandlError(f"text {text.sentence_id!r} has no words: there is nothing to read")
    words = text.words
    return [
        Sentence(f"{text.item}.{k}", " ".join(words[r.start : r.stop]), language=text.language)
        for k, r in enumerate(displays(words))
    ]


def _facts(paths: Sequence[Scanpath], part: Sentence, model: Model) -> Array:
    """Return the facts of a display, (4, paths, words)."""
    if any(path.durations is None for path in paths):
        raise ScandlError(
            f"model {model.name!r} has no fixation durations: expected one that has, such as people"
        )
    first_pass = TIME_MEASURES["FPRT"]
    found = np.zeros((len(_FACTS), len(paths), part.n_words))
    for k, path in enumerate(paths):
        for m, word in enumerate(times(path.positions, path.durations, part.n_words)):
            first = first_pass(word)
            left = first is not None and word.next_is_left
            found[:, k, m] = word.total, first or 0.0, first is None, left
    return found


def _joined(facts: Sequence[Array], readers: int) -> WordReadings:
    """Put the displays of a text beside each other."""
    whole = np.concatenate(facts, axis=2)
    return WordReadings(*whole.reshape(len(_FACTS), readers, -1, whole.shape[2]))

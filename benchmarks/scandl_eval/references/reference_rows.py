"""The rows no score should stand without: trivial readers, humans on the same items, printed results.

Printed results come from other corpora, folds and conventions, and only their digits are known: they are
shown beside ours, never ranked with them.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

from scandl.errors import ScandlError, did_you_mean
from scandl.measures.catalogue import Metric
from scandl.measures.pair.nld import KERNELS, paired
from scandl.models.baselines.step_walks import MAX_FIXATIONS, StepProbabilities, class_counts
from scandl.models.baselines.trivial import TrainLabelDist
from scandl.pairing import Humans, Instance, reference_readers
from scandl.records import Positions, Prediction, Scanpath, Sentence
from scandl.seeds import stream, uniforms
from scandl.splits import group_folds
from scandl.statistics.distances import bin_of
from scandl.statistics.energy import Halves, half_against_half
from scandl_eval.references.human_ceilings import Ceiling, human_ceiling, pairs_of_one_partner
from scandl_eval.references.time_halves import time_halves
from scandl_eval.score_table import Item, ScoreColumn, column_of, columns, instance_keys, score

if TYPE_CHECKING:
    from scandl.corpora import Corpus

LEFT_TO_RIGHT = "left-to-right"
TRAIN_LABEL_DIST = "train-label-dist"
HUMAN, SIMULATED = "Human", "simulated readers"
"""What the row of the readers is called: people, or others."""
TOGETHER = 4096  # walks drawn at once: enough to be fast, few enough to need no memory
N_PARTS = 2  # a histogram of 45 classes needs no more than half of the sentences

TABLES = ("nld", "ablations")


def readers_name(corpus: Corpus | None) -> str:
    """Return what the row of the readers is called; a file without a corpus is taken to hold people."""
    return HUMAN if corpus is None or corpus.card.kind == "human" else SIMULATED


def called(text: str, readers: str) -> str:
    """Return a text in which the row Human has the name that it has in the table.

    >>> called("down to the row Human", SIMULATED)
    'down to the row simulated readers'
    """
    return re.sub(rf"\b{HUMAN}\b", readers, text)


@dataclass(frozen=True)
class TrivialReader:
    """A reader without a model: one path for each unit, of which only the words are kept."""

    name: str
    units: Sequence[Instance]
    words: Sequence[Positions]

    @cached_property
    def instances(self) -> list[Instance]:
        """The paths as predictions for their units."""
        return [_instead(unit, self.name, words) for unit, words in zip(self.units, self.words, strict=True)]


@dataclass(frozen=True)
class Beside:
    """What stands beside the models of one setting, on the items of all of them together."""

    setting: str
    units: Mapping[Item, Instance]  # one instance per (fold, reader, sentence)
    humans: Humans
    item_of: Mapping[str, str]  # the item of each sentence whose text is known
    seed: int

    @cached_property
    def trivial(self) -> list[TrivialReader]:
        """The trivial readers, on the items whose text is known."""
        with_text = [unit for unit in self.units.values() if unit.text is not None]
        learned = train_label_dist(with_text, self.humans, self.item_of, seed=self.seed)
        return [reader for reader in (left_to_right(with_text), learned) if reader.units]

    @cached_property
    def doubtful_readers(self) -> bool:
        """Whether most human paths are copies within their sentence although no reader is named.

        Then the rows are draws for one reader rather than readers, and would be set against themselves.
        """
        unnamed = [unit for unit in self.units.values() if unit.reader_id is None]
        paths = Counter((unit.prediction.sentence_id, unit.human) for unit in unnamed)
        copies = sum(n for n in paths.values() if n > 1)
        return 2 * copies > len(unnamed)

    def halves(self, kernel: str = "nld") -> Halves | None:
        """Return how far one random half of the readers is from the other.

        ``kernel`` is that of an energy distance, or the name of a metric of durations.
        """
        if kernel not in self._halves:
            of_paths = kernel in KERNELS or bin_of(kernel) is not None
            apart = half_against_half if of_paths else time_halves
            self._halves[kernel] = apart(self.humans, kernel, seed=self.seed)
        return self._halves[kernel]

    @cached_property
    def _halves(self) -> dict[str, Halves | None]:
        return {}

    def trivial_columns(self, metric: Metric) -> dict[str, ScoreColumn]:
        """Return the columns of the trivial readers, by name."""
        items = [item for item, unit in self.units.items() if unit.text is not None]
        found = {}
        for reader in self.trivial:
            if metric.name in KERNELS:
                values = paired([unit.human for unit in reader.units], reader.words, metric.name)
            else:
                values = score(reader.instances, [metric]).values[metric.name]
            known = np.isfinite(values)
            kept = items if known.all() else [item for item, has in zip(items, known, strict=True) if has]
            found[reader.name] = column_of(kept, values[known], len(items) - len(kept))
        return found

    def ceiling(self, metric: Metric, name: str) -> Ceiling:
        """Return the human ceiling in a metric.

        The rules of ``CEILINGS`` need distances between all readers; a metric that is not an edit
        distance sets each reader against one other, which has the expectation of all pairs.
        """
        if metric.name in KERNELS or bin_of(metric.name) is not None:
            return human_ceiling(
                self.humans, name, kernel=metric.name, items=self.units, seed=self.seed, n_paths=self._n_paths
            )
        instances, partners = self._one_other
        found = columns(score(instances, [metric]), metric.name)
        column = next(iter(found.values()), ScoreColumn((), (), (), np.zeros(0)))
        alone = [s for s, paths in self.humans.items() if len(paths) < 2]
        n_readers = [len(paths) for paths in self.humans.values() if len(paths) > 1]
        keys = ((key.fold, key.reader_id, key.sentence_id) for key in instance_keys(instances))
        met = pairs_of_one_partner(column, dict(zip(keys, partners, strict=True)))
        return Ceiling("one-other", column, met, tuple(alone), sum(n_readers) / max(len(n_readers), 1))

    @cached_property
    def _one_other(self) -> tuple[list[Instance], list[str]]:
        drawn = one_other(self.units.values(), self.humans, seed=self.seed)
        return [instance for instance, _ in drawn], [partner for _, partner in drawn]

    @property
    def _n_paths(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        for _, _, sentence in self.units:
            counts[sentence] = counts.get(sentence, 0) + 1
        return counts


def beside(
    instances: Sequence[Instance], corpus: Corpus | None, *, reference: str = "tested", seed: int
) -> list[Beside]:
    """Return what stands beside the models, setting by setting."""
    settings: dict[str, dict[Item, Instance]] = {}
    for instance, key in zip(instances, instance_keys(instances), strict=True):
        units = settings.setdefault(key.setting, {})
        units.setdefault((key.fold, key.reader_id, key.sentence_id), instance)
    found = []
    for setting, of_items in settings.items():
        units = {
            item: of_items[item] for item in sorted(of_items, key=lambda item: (item[0], item[2], item[1]))
        }
        own = [instance for instance in instances if instance.prediction.setting == setting]
        humans = reference_readers(own, corpus, reference)
        found.append(Beside(setting, units, humans, _items(units.values(), corpus), seed))
    return found


def left_to_right(units: Sequence[Instance]) -> TrivialReader:
    """Return the reader who fixates each word once, in order."""
    paths = {key: tuple(range(n)) for key, n in _lengths(units).items()}
    return TrivialReader(LEFT_TO_RIGHT, units, [paths[unit.prediction.sentence_id] for unit in units])


def train_label_dist(
    units: Sequence[Instance], humans: Humans, item_of: Mapping[str, str], *, seed: int
) -> TrivialReader:
    """Return Train-label-dist, cross-fitted; it has no units where there is only one item.

    The sentences are cut into two parts; what is generated for a sentence was learned from the
    other part, which holds no other version of its item either.
    """
    n_words = _lengths(units)
    names = _names(units)
    drawn: list[Positions] = [()] * len(units)
    parts = list(_parts(humans, item_of, seed))
    for learned, held_out in parts:
        own = [i for i, name in enumerate(names) if name[0] in held_out]
        for first in range(0, len(own), TOGETHER):
            some = own[first : first + TOGETHER]
            u = uniforms(seed, ((TRAIN_LABEL_DIST, *names[i]) for i in some), MAX_FIXATIONS)
            for i, words in zip(some, learned.walks([n_words[names[i][0]] for i in some], u), strict=True):
                drawn[i] = words
    return TrivialReader(TRAIN_LABEL_DIST, units, drawn) if parts else TrivialReader(TRAIN_LABEL_DIST, (), ())


def _names(units: Iterable[Instance]) -> list[tuple[str, str, int]]:
    """Return what draws for each unit are keyed by: sentence, reader, how many such were before."""
    seen: Counter[tuple[str, str]] = Counter()
    names = []
    for unit in units:
        name = unit.prediction.sentence_id, unit.reader_id or ""
        names.append((*name, seen[name]))
        seen[name] += 1
    return names


def train_label_log_probs(
    units: Sequence[Instance], humans: Humans, item_of: Mapping[str, str], *, seed: int
) -> list[float] | None:
    """Return the natural log-probability of each human path under the same cross-fitted reader.

    None where it cannot be given for all: no texts, or a single sentence.
    """
    found: dict[int, float] = {}
    for learned, held_out in _parts(humans, item_of, seed):
        generator = TrainLabelDist(learned)
        for i, unit in enumerate(units):
            key = unit.prediction.sentence_id
            if key in held_out and unit.text is not None:
                found[i] = generator.log_prob(Sentence(key, unit.text), Scanpath("", key, unit.human))
    return [found[i] for i in range(len(units))] if len(found) == len(units) else None


def _parts(
    humans: Humans, item_of: Mapping[str, str], seed: int
) -> Iterator[tuple[StepProbabilities, set[str]]]:
    """Yield the steps learned from each part of the sentences, and the sentences not learned from.

    The parts are those of two folds of New Sentence.
    """
    sizes: Counter[str] = Counter()
    for sentence, item in item_of.items():
        sizes[item] += len(humans[sentence])
    if len(sizes) < N_PARTS:
        return
    order = sorted(sizes)
    shuffled = [order[i] for i in stream(seed, "folds", "ns", "items").permutation(len(order))]
    part = group_folds([(item, sizes[item]) for item in shuffled], N_PARTS)
    for k in range(N_PARTS):
        held_out = {sentence for sentence, item in item_of.items() if part[item] == k}
        learned = (path.positions for key in item_of if key not in held_out for path in humans[key])
        yield StepProbabilities(class_counts(learned)), held_out


def one_other(units: Iterable[Instance], humans: Humans, *, seed: int) -> list[tuple[Instance, str]]:
    """Return instances in which one other reader of the sentence stands for the model, and who that is."""
    found = []
    chosen = list(units)
    for unit, name in zip(chosen, _names(chosen), strict=True):
        others = [path for path in humans.get(name[0], ()) if path.reader_id != unit.reader_id]
        if others and unit.reader_id is not None:
            rng = stream(seed, "one other", *name)
            other = others[int(rng.integers(len(others)))]
            found.append((_instead(unit, HUMAN, other.positions, other.durations), other.reader_id))
    return found


def _items(units: Iterable[Instance], corpus: Corpus | None) -> dict[str, str]:
    """Return the item of each sentence with a text; only a corpus knows versions of an item."""
    known = corpus.sentences if corpus is not None else {}
    with_text = dict.fromkeys(unit.prediction.sentence_id for unit in units if unit.text is not None)
    return {key: known[key].item if key in known else key for key in with_text}


def _lengths(units: Iterable[Instance]) -> dict[str, int]:
    """Return the number of words of each sentence, by its id."""
    texts = {unit.prediction.sentence_id: unit.text or "" for unit in units}
    return {key: len(text.split()) for key, text in texts.items()}


def _instead(
    unit: Instance, model: str, path: Positions, durations: tuple[float, ...] | None = None
) -> Instance:
    """Return the unit with another path in place of the prediction."""
    p = unit.prediction
    prediction = Prediction(
        p.sentence_id, path, p.human, p.reader_id, model, p.setting, p.fold, text=p.text, durations=durations
    )
    return Instance(prediction, unit.human, unit.reader_id, unit.human_durations, unit.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedRow:
    """One printed number, with what it was computed on and how."""

    model: str
    setting: str
    mean: float
    spread: float | None  # what is printed after ±
    worse_than_best: bool | None  # printed as †; None where no test is reported
    metric: str
    convention: str  # of the NLD, see scandl_eval.scoring.scoring_spec
    corpus: str
    spread_is: str
    source: str


def published_rows(setting: str | None = None, table: str = "nld") -> list[PublishedRow]:
    """Return the printed NLD of a setting, or of all: ``nld`` is Table 1, ``ablations`` the variants.

    >>> [row.mean for row in published_rows("nrns") if row.model == "ScanDL"]
    [0.515]
    """
    if table not in TABLES:
        raise ScandlError(f"no published table {table!r}{did_you_mean(table, TABLES)}")
    return [row for row in _table(table) if setting in (None, row.setting)]


@cache
def _table(name: str) -> tuple[PublishedRow, ...]:
    data = json.loads(
        files("scandl_eval.references").joinpath("published", f"{name}.json").read_text(encoding="utf-8")
    )
    return tuple(
        PublishedRow(
            **row,
            metric="nld",
            convention=data["convention"],
            corpus=data["corpus"][row["setting"]],
            spread_is=data["spread"],
            source=data["source"],
        )
        for row in data["rows"]
    )

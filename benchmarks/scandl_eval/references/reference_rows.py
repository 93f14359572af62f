"""The rows no score should stand without: trivial readers and humans on the items of the models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from scandl.corpora import Card, Corpus
from scandl.generators import Request
from scandl.pairing import Humans, Instance, reference_readers
from scandl.records import Positions, Prediction, Scanpath, Sentence
from scandl.seeds import stream
from scandl.splits import make_folds
from scandl.statistics.energy_tests import Halves, half_against_half
from scandl.statistics.timed_paths import bin_of
from scandl_eval.metrics import Metric
from scandl_eval.metrics.nld import KERNELS
from scandl_eval.metrics.score_table import Column, Item, columns, instance_keys, score
from scandl_eval.models.baselines.train_label import TrainLabelDist
from scandl_eval.references.human_ceilings import Ceiling, human_ceiling
from scandl_eval.references.reader_pairs import pairs_of_one_partner
from scandl_eval.references.time_halves import ALL_TIMES, time_halves

LEFT_TO_RIGHT = "left-to-right"
TRAIN_LABEL_DIST = "train-label-dist"
HUMAN = "Human"
N_PARTS = 2  # a histogram of 45 classes needs no more than half of the sentences


@dataclass(frozen=True)
class Beside:
    """What stands beside the models of one setting, on the items of all of them together."""

    setting: str
    units: Mapping[Item, Instance]  # one instance per (fold, reader, sentence)
    humans: Humans
    training: Corpus  # human scanpaths to learn from, with the texts that are known
    seed: int

    @cached_property
    def baselines(self) -> list[Instance]:
        """The instances of the trivial readers, on the items whose text is known."""
        with_text = [unit for unit in self.units.values() if unit.text is not None]
        return left_to_right(with_text) + train_label_dist(with_text, self.training, seed=self.seed)

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
            apart = time_halves if kernel in ALL_TIMES else half_against_half
            self._halves[kernel] = apart(self.humans, kernel, seed=self.seed)
        return self._halves[kernel]

    @cached_property
    def _halves(self) -> dict[str, Halves | None]:
        return {}

    def baseline_columns(self, metric: Metric) -> dict[tuple[str, str], Column]:
        """Return the columns of the trivial readers."""
        return columns(score(self.baselines, [metric]), metric.name)

    def ceiling(self, metric: Metric, name: str) -> Ceiling:
        """Return the human ceiling in a metric.

        The rules of ``CEILINGS`` need distances between all readers; a metric that is not an edit
        distance sets each reader against one other, which has the expectation of all pairs.
        """
        if metric.name in KERNELS or bin_of(metric.name) is not None:
            return human_ceiling(
                self.humans, name, kernel=metric.name, items=self.units, seed=self.seed, n_paths=self._n_paths
            )
        drawn = one_other(self.units.values(), self.humans, seed=self.seed)
        instances = [instance for instance, _ in drawn]
        found = columns(score(instances, [metric]), metric.name)
        column = next(iter(found.values()), Column((), (), (), metric.score([])))
        alone = [s for s, paths in self.humans.items() if len(paths) < 2]
        n_readers = [len(paths) for paths in self.humans.values() if len(paths) > 1]
        keys = ((key.fold, key.reader_id, key.sentence_id) for key in instance_keys(instances))
        met = pairs_of_one_partner(column, dict(zip(keys, (partner for _, partner in drawn), strict=True)))
        return Ceiling("one-other", column, met, tuple(alone), sum(n_readers) / max(len(n_readers), 1))

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
    for setting, units in settings.items():
        own = [instance for instance in instances if instance.prediction.setting == setting]
        humans = reference_readers(own, corpus, reference)
        training = _training_corpus(humans, units.values(), corpus)
        found.append(Beside(setting, units, humans, training, seed))
    return found


def left_to_right(units: Sequence[Instance]) -> list[Instance]:
    """Return the instances of the reader who fixates each word once, in order."""
    paths = {s.sentence_id: tuple(range(s.n_words)) for s in _sentences(units).values()}
    return [_instead(unit, LEFT_TO_RIGHT, paths[unit.prediction.sentence_id]) for unit in units]


def train_label_dist(units: Sequence[Instance], training: Corpus, *, seed: int) -> list[Instance]:
    """Return the instances of Train-label-dist, cross-fitted.

    The sentences of ``training`` are cut into two parts; what is generated for a sentence was
    learned from the other part, which holds no other version of its item either.
    """
    requests = {key: Request(sentence) for key, sentence in _sentences(units).items()}
    drawn: list[Instance | None] = [None] * len(units)
    for number, (generator, held_out) in enumerate(_parts(training, seed)):
        rng = stream(seed, TRAIN_LABEL_DIST, number)  # one for all: ten thousand streams would take longer
        for i, unit in enumerate(units):
            key = unit.prediction.sentence_id
            if key in held_out:
                drawn[i] = _instead(unit, TRAIN_LABEL_DIST, generator.draw(requests[key], rng))
    return [instance for instance in drawn if instance is not None]


def train_label_log_probs(units: Sequence[Instance], training: Corpus, *, seed: int) -> list[float] | None:
    """Return the natural log-probability of each human path under the same cross-fitted reader.

    None where it cannot be given for all: no texts, or a single sentence.
    """
    found: dict[int, float] = {}
    sentences = _sentences(units)
    for generator, held_out in _parts(training, seed):
        for i, unit in enumerate(units):
            key = unit.prediction.sentence_id
            if key in held_out and unit.text is not None:
                found[i] = generator.log_prob(sentences[key], Scanpath("", key, unit.human))
    return [found[i] for i in range(len(units))] if len(found) == len(units) else None


def _parts(training: Corpus, seed: int) -> Iterator[tuple[TrainLabelDist, set[str]]]:
    """Yield the reader learned from each part of the sentences, and the sentences it has not seen."""
    n_items = len({training.sentences[path.sentence_id].item for path in training.scanpaths})
    if n_items < N_PARTS:
        return
    for fold in make_folds(training, "ns", seed=seed, n_folds=N_PARTS):
        learned = TrainLabelDist().fit(training.restricted_to(fold.train), seed=seed)
        yield learned, {sentence for _, sentence in fold.test}


def one_other(units: Iterable[Instance], humans: Humans, *, seed: int) -> list[tuple[Instance, str]]:
    """Return instances in which one other reader of the sentence stands for the model, and who that is."""
    found = []
    for i, unit in enumerate(units):
        sentence = unit.prediction.sentence_id
        others = [path for path in humans.get(sentence, ()) if path.reader_id != unit.reader_id]
        if others and unit.reader_id is not None:
            rng = stream(seed, "one other", sentence, unit.reader_id, i)
            other = others[int(rng.integers(len(others)))]
            found.append((_instead(unit, HUMAN, other.words, other.durations), other.reader_id))
    return found


def _training_corpus(humans: Humans, units: Iterable[Instance], corpus: Corpus | None) -> Corpus:
    """Return the reference readers as a corpus to learn from; only a corpus knows versions of an item."""
    texts = {unit.prediction.sentence_id: unit.text for unit in units}
    known = corpus.sentences if corpus is not None else {}
    sentences = {
        key: known.get(key) or Sentence(key, text) for key, text in texts.items() if text is not None
    }
    paths = tuple(path for key in sentences for path in humans[key])
    return Corpus(Card(name="the human scanpaths of the predictions"), sentences, paths)


def _sentences(units: Iterable[Instance]) -> dict[str, Sentence]:
    """Return the sentences of units, by their ids."""
    texts = {unit.prediction.sentence_id: unit.text or "" for unit in units}
    return {key: Sentence(key, text) for key, text in texts.items()}


def _instead(
    unit: Instance, model: str, path: Positions, durations: tuple[float, ...] | None = None
) -> Instance:
    """Return the unit with another path in place of the prediction."""
    p = unit.prediction
    prediction = Prediction(
        p.sentence_id, path, p.human, p.reader_id, model, p.setting, p.fold, text=p.text, durations=durations
    )
    return Instance(prediction, unit.human, unit.reader_id, unit.human_durations, unit.text)

"""Energy distance and diversity: whether a model's paths vary as readers' do, and a test of that."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

import numpy as np
from numpy.typing import NDArray

from scandl.records import Positions, Scanpath
from scandl.seeds import stream
from scandl.statistics.clustered import (
    NOBODY,
    Codes,
    Contributions,
    Uncertainty,
    clustered,
    column_sums,
    reader_codes,
)
from scandl.statistics.distances import Strip, pairwise, seen_by, strips
from scandl.statistics.reader_means import SentenceMeans, Side, sentence_means, side_of

Array = NDArray[np.float64]
Paths = Mapping[str, Sequence[Scanpath]]
"""The scanpaths of each sentence."""

SPLITS = 200
PERMUTATIONS = 999


@dataclass(frozen=True, slots=True)
class EnergyTerms:
    """Mean distances of each sentence for k models, and what each reading contributes to them."""

    models: tuple[str, ...]
    sentence_ids: tuple[str, ...]
    between: Array  # (S, k) E d(X, Y) per sentence; X human, Y generated
    within_human: Array  # (S,) E d(X, X')
    within_model: Array  # (S, k) E d(Y, Y')
    reader: Codes | None  # (C,) of each contribution; None: readers are not known by name
    sentence: Codes  # (C,)
    of_between: Array  # (C, k) the means less those without a reader
    of_human: Array  # (C,)
    of_model: Array  # (C, k)
    size: Array  # (S, k) readers of a sentence
    second_order: Array  # (S, k, k) the variance that the curvature of the energy distances brings

    @property
    def by_sentence(self) -> Array:
        """The energy distance of each sentence and model, (S, k)."""
        return 2.0 * self.between - self.within_human[:, None] - self.within_model

    @property
    def distances(self) -> Array:
        """The energy distance of each model: the mean over sentences, (k,)."""
        return column_sums(self.by_sentence) / len(self.sentence_ids)

    @property
    def diversity(self) -> Array:
        """E d(Y, Y') / E d(X, X') of each model, a ratio of means over sentences: below 1 collapse."""
        human = math.fsum(self.within_human.tolist())
        return column_sums(self.within_model) / human if human else np.full(len(self.models), np.nan)

    def of_sentences(self, rows: Sequence[int]) -> EnergyTerms:
        """Return the means over some of the sentences, without what readings contribute."""
        none = np.zeros((0, len(self.models)))
        return EnergyTerms(
            self.models,
            tuple(self.sentence_ids[i] for i in rows),
            self.between[rows],
            self.within_human[rows],
            self.within_model[rows],
            None,
            np.zeros(0, dtype=np.intp),
            none,
            none[:, 0],
            none,
            self.size[rows],
            self.second_order[rows],
        )

    @property
    def _scale(self) -> Array:
        """What turns the squares of changes into variances, (C, k).

        Without a reader a mean over n changes by the reader's deviation over n − 1; its variance is the
        sum of squared deviations over n (n − 1).
        """
        scale: Array = np.sqrt(1.0 - 1.0 / self.size)[self.sentence]
        return scale

    @property
    def distance_uncertainty(self) -> Uncertainty:
        """How sure the energy distances are.

        A mean over pairs is curved in the readers. The squares of what readers change hold the variance
        that this brings 2 (n − 1) / (n − 2) times, by reader and by reading; it belongs there once.
        """
        n, k = len(self.sentence_ids), len(self.models)
        readings = self._scale * (2.0 * self.of_between - self.of_human[:, None] - self.of_model) / n
        by_sentence = (self.by_sentence - self.distances) / n
        found = clustered(Contributions(readings, self.reader, self.sentence, by_sentence, few=False))
        size = 0.5 * (self.size[:, :, None] + self.size[:, None, :])
        too_much = size / np.maximum(size - 2.0, 1.0)
        curvature, held = (
            column_sums(each.reshape(n, -1)).reshape(k, k) / n**2
            for each in (self.second_order, too_much * self.second_order)
        )
        if self.reader is None:
            return found
        return replace(
            found, readers=found.readers - held, readings=found.readings - held, curvature=curvature
        )

    @property
    def diversity_uncertainty(self) -> Uncertainty:
        """How sure the diversity ratios are."""
        whole = math.fsum(self.within_human.tolist())
        ratio = self.diversity
        readings = self._scale * (self.of_model - ratio * self.of_human[:, None]) / whole
        by_sentence = (self.within_model - ratio * self.within_human[:, None]) / whole
        return clustered(Contributions(readings, self.reader, self.sentence, by_sentence, few=False))


def energy_distance(human: Sequence[Positions], model: Sequence[Positions], kernel: str = "nld") -> float:
    """Return 2 E d(X, Y) − E d(X, X') − E d(Y, Y') of one sentence, no path paired with itself.

    Nobody is named here, so every path meets every path of the other side. Each side needs two
    paths; fewer give NaN.

    >>> energy_distance([(0, 1), (1, 0)], [(0, 1), (1, 0)], kernel="levenshtein")  # 2·1 − 2 − 2
    -2.0
    >>> energy_distance([(0, 1), (0, 1)], [(2, 3), (2, 3)])
    2.0
    """
    if len(human) < 2 or len(model) < 2:
        return float("nan")
    within = (_mean_within(pairwise(side, side, kernel)) for side in (human, model))
    return 2.0 * float(pairwise(human, model, kernel).mean()) - sum(within)


def energy_terms(
    human: Mapping[str, Sequence[Scanpath]],
    models: Mapping[str, Mapping[str, Sequence[Scanpath]]],
    kernel: str = "nld",
    *,
    named: bool = True,
) -> EnergyTerms | None:
    """Compare models with the readers sentence by sentence; None where no sentence has two of each.

    Parameters
    ----------
    human
        The scanpaths of each sentence, one per reader.
    models
        By model, the generated scanpaths of each sentence; a path belongs to the reader it stands for,
        and one that stands for nobody is its own. Sentences that a model lacks are left out for all.
    kernel
        A name from ``KERNELS``, or a timed one for paths written in time; those without durations
        are then left out.
    named
        Whether readers are known by name, so that they can be told apart across sentences.
    """
    names = tuple(models)
    models = {name: seen_by(kernel, paths)[1] for name, paths in models.items()}
    kernel, human = seen_by(kernel, human)
    found: dict[str, tuple[list[str], SentenceMeans]] = {}
    for sentence in sorted(human):
        sides = [human[sentence], *(models[name].get(sentence, ()) for name in names)]
        readers, coded = _sides(sides, named)
        if all(len(side.readers) > 1 for side in coded):
            found[sentence] = readers, sentence_means(coded[0], coded[1:], len(readers), kernel)
    if not found:
        return None
    means = [each for _, each in found.values()]
    who = [reader for readers, _ in found.values() for reader in readers]
    return EnergyTerms(
        names,
        tuple(found),
        np.stack([each.between for each in means]),
        np.array([each.within_human for each in means]),
        np.stack([each.within_model for each in means]),
        reader_codes(who) if set(who) != {NOBODY} else None,
        np.repeat(np.arange(len(means)), [len(readers) for readers, _ in found.values()]),
        np.concatenate([each.of_between for each in means]),
        np.concatenate([each.of_human for each in means]),
        np.concatenate([each.of_model for each in means]),
        np.stack([each.size for each in means]),
        np.stack([each.second_order for each in means]),
    )


def _sides(sides: Sequence[Sequence[Scanpath]], named: bool) -> tuple[list[str], list[Side]]:
    """Return who reads a sentence, nobody's paths last, and the sides with readers as numbers."""
    known = sorted({path.reader_id for side in sides for path in side} - {NOBODY}) if named else []
    number = {name: i for i, name in enumerate(known)}
    fresh = count(len(known))
    found = []
    for side in sides:
        rows = sorted((number.get(path.reader_id, len(known)), path.positions) for path in side)
        whose = [reader if reader < len(known) else next(fresh) for reader, _ in rows]
        found.append(side_of(whose, [words for _, words in rows]))
    return known + [NOBODY] * (next(fresh) - len(known)), found


def _mean_within(distance: Array) -> float:
    n = len(distance)
    return float(distance.sum() / (n * (n - 1)))


@dataclass(frozen=True, slots=True)
class Halves:
    """Energy distances between one half of the readers and the other, over random splits."""

    mean: float  # 0 in expectation
    ci95: tuple[float, float]  # holds 95 % of the splits: how far one half is from the other
    n_sentences: int


def half_against_half(
    human: Paths, kernel: str = "nld", *, splits: int = SPLITS, seed: int = 1
) -> Halves | None:
    """Return how far one random half of the readers is from the other; None with too few readers.

    A split divides readers, not paths: a reader is on the same side in every sentence. A sentence
    counts in a split that leaves two readers on each side of it.
    """
    kernel, human = seen_by(kernel, human)
    enough = {sentence: paths for sentence, paths in human.items() if len(paths) > 3}
    if not enough:
        return None
    readers = sorted({path.reader_id for paths in enough.values() for path in paths})
    place = {reader: i for i, reader in enumerate(readers)}
    first = np.arange(len(readers)) < len(readers) // 2
    sides = stream(seed, "halves").permuted(np.tile(first, (splits, 1)), axis=1).astype(np.float64)
    sums, counts = np.zeros(splits), np.zeros(splits)
    for paths in enough.values():
        x = sides[:, [place[path.reader_id] for path in paths]]
        words = [path.positions for path in paths]
        n_x = x.sum(axis=1)
        defined = (n_x > 1) & (len(paths) - n_x > 1)
        if defined.any():
            sums[defined] += labelled_energies(x[defined], strips(words, kernel))
            counts += defined
    values = sums[counts > 0] / counts[counts > 0]
    if not len(values):
        return None
    low, high = np.quantile(values, [0.025, 0.975])
    return Halves(float(values.mean()), (float(low), float(high)), len(enough))


def labelled_energies(x: Array, distances: Iterable[Strip]) -> Array:
    """Return the energy distance of each labelling: rows of ``x`` are 1 for one side, 0 for the other."""
    # With y = 1 − x all three sums follow from x'Dx and x'D1.
    n = x.sum(axis=1)
    m = x.shape[1] - n
    to_all, within, total = np.zeros((3, len(x)))
    for rows, apart in distances:
        one = x[:, rows]
        to_all += one @ apart.sum(axis=1)
        within += np.einsum("ij,ij->i", one @ apart, x)
        total += apart.sum()
    energy: Array = 2.0 * (to_all - within) / (n * m) - within / (n * (n - 1))
    return energy - (total - 2.0 * to_all + within) / (m * (m - 1))


def permutation_p(
    human: Paths, model: Paths, kernel: str = "nld", *, permutations: int = PERMUTATIONS, seed: int = 1
) -> float | None:
    """Return the p-value of "human and generated paths are exchangeable within sentences".

    It is the share of relabellings at least as far apart as what was observed, itself included; None
    where no sentence has two paths on each side. Paths of one reader are taken as unrelated.
    """
    model = seen_by(kernel, model)[1]
    kernel, human = seen_by(kernel, human)
    both = [s for s in human if len(human[s]) > 1 and len(model.get(s, ())) > 1]
    if not both:
        return None
    observed, null = 0.0, np.zeros(permutations)
    for sentence in both:
        n, m = len(human[sentence]), len(model[sentence])
        paths = [path.positions for path in (*human[sentence], *model[sentence])]
        labels = np.tile(np.repeat([1.0, 0.0], [n, m]), (permutations, 1))
        drawn = stream(seed, "energy", "permutation", sentence).permuted(labels, axis=1)
        values = labelled_energies(np.vstack([np.repeat([1.0, 0.0], [n, m]), drawn]), strips(paths, kernel))
        observed += float(values[0])
        null += values[1:]
    at_least = int((null >= observed - 1e-9).sum())  # equal sums may differ in the last digits
    return (1 + at_least) / (1 + permutations)

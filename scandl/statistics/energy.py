"""Energy distance and diversity: whether a model's paths through a sentence vary as readers' do.

The expected distance to a human path is smallest for a central path that nobody reads, so a mean
distance rewards a model without variation. The energy distance does not: it is zero in expectation
when both sides have the same distribution. That it is zero *only* then is proven for kernels of
strong negative type (Székely & Rizzo, 2013), not for NLD; hence the permutation test beside it.

Pairs are always of two different readers, also between the sides: the path generated for a reader
does not meet that reader's own path. Where a model knows who reads, such a pair would be closer than
two people are, and the distance would fall below zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scandl.records import Positions, Scanpath
from scandl.statistics.clustered import Codes, Contributions, Uncertainty, clustered, codes
from scandl.statistics.distances import pairwise
from scandl.statistics.timed_paths import seen_by

Array = NDArray[np.float64]
FEWEST_CENTRED = 4
"""Readers of a sentence below which a doubly centred kernel has no freedom left."""
TOGETHER = 64
"""Paths of a sentence up to which one call for all pairs is faster than one call for each pair of sides."""


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
    of_between: Array  # (C, k)
    of_human: Array  # (C,)
    of_model: Array  # (C, k)
    second_order: Array  # (k, k) of the energy distance

    @property
    def by_sentence(self) -> Array:
        """The energy distance of each sentence and model, (S, k)."""
        return 2.0 * self.between - self.within_human[:, None] - self.within_model

    @property
    def distances(self) -> Array:
        """The energy distance of each model: the mean over sentences, (k,)."""
        return self.by_sentence.mean(axis=0)

    @property
    def diversity(self) -> Array:
        """E d(Y, Y') / E d(X, X') of each model, a ratio of means over sentences: below 1 collapse."""
        human = float(self.within_human.mean())
        return self.within_model.mean(axis=0) / human if human else np.full(len(self.models), np.nan)

    def of_sentences(self, rows: Sequence[int]) -> EnergyTerms:
        """Return the means over some of the sentences, without what readings contribute."""
        none = np.zeros((0, len(self.models)))
        return EnergyTerms(
            self.models, tuple(self.sentence_ids[i] for i in rows), self.between[rows],
            self.within_human[rows], self.within_model[rows], None, np.zeros(0, dtype=np.intp), none,
            none[:, 0], none, self.second_order * 0.0,
        )  # fmt: skip

    @property
    def distance_uncertainty(self) -> Uncertainty:
        """How sure the energy distances are."""
        n = len(self.sentence_ids)
        readings = (2.0 * self.of_between - self.of_human[:, None] - self.of_model) / n
        by_sentence = (self.by_sentence - self.distances) / n
        return clustered(
            Contributions(readings, self.reader, self.sentence, by_sentence, self.second_order / n**2)
        )

    @property
    def diversity_uncertainty(self) -> Uncertainty:
        """How sure the diversity ratios are."""
        whole = float(self.within_human.sum())
        ratio = self.diversity
        readings = (self.of_model - ratio * self.of_human[:, None]) / whole
        by_sentence = (self.within_model - ratio * self.within_human[:, None]) / whole
        return clustered(Contributions(readings, self.reader, self.sentence, by_sentence))


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
    found = [
        _sentence_terms(sentence, paths, [models[name].get(sentence, ()) for name in names], kernel, named)
        for sentence, paths in human.items()
    ]
    terms = [each for each in found if each is not None]
    if not terms:
        return None
    readers = [reader for each in terms for reader in each.readers]
    return EnergyTerms(
        names,
        tuple(each.sentence_id for each in terms),
        np.stack([each.between for each in terms]),
        np.array([each.within_human for each in terms]),
        np.stack([each.within_model for each in terms]),
        codes(readers) if named else None,
        np.repeat(np.arange(len(terms)), [len(each.readers) for each in terms]),
        np.concatenate([each.of_between for each in terms]),
        np.concatenate([each.of_human for each in terms]),
        np.concatenate([each.of_model for each in terms]),
        np.sum([each.second_order for each in terms], axis=0),
    )


@dataclass(frozen=True, slots=True)
class _SentenceTerms:
    sentence_id: str
    readers: list[str]
    between: Array  # (k,)
    within_human: float
    within_model: Array  # (k,)
    of_between: Array  # (readers, k)
    of_human: Array  # (readers,)
    of_model: Array  # (readers, k)
    second_order: Array  # (k, k)


def _sentence_terms(
    sentence: str, human: Sequence[Scanpath], models: Sequence[Sequence[Scanpath]], kernel: str, named: bool
) -> _SentenceTerms | None:
    whose = [_readers(paths, named, side) for side, paths in enumerate((human, *models))]
    if any(len(set(side)) < 2 for side in whose):
        return None
    if all(side == whose[0] for side in whose[1:]) and len(set(whose[0])) == len(whose[0]):
        distances = _all_distances([human, *models], kernel)
        return _aligned_terms(sentence, whose[0], distances)
    return _general_terms(sentence, human, models, whose, kernel)


def _aligned_terms(
    sentence: str, readers: list[str], distances: tuple[Array, Array, Array]
) -> _SentenceTerms:
    """Return the terms where every reader has one path on each side, in the same order.

    It is what ``_general_terms`` computes, for all models at once.
    """
    within, between, spread = distances  # (n, n), (k, n, n), (k, n, n)
    n, k = len(readers), len(between)
    pairs = n * (n - 1)
    few = (n - 1) / (n - 2) if n > 2 else 0.0  # as deleting one reader at a time would give
    own = np.diagonal(between, axis1=1, axis2=2)  # (k, n)
    mean_human, mean_model = within.sum() / pairs, spread.sum(axis=(1, 2)) / pairs
    mean_between = (between.sum(axis=(1, 2)) - own.sum(axis=1)) / pairs
    both = between.sum(axis=1) + between.sum(axis=2) - 2.0 * own  # as human and as model, (k, n)
    return _SentenceTerms(
        sentence, readers, mean_between, float(mean_human), mean_model,
        few * (both - 2.0 * (n - 1) * mean_between[:, None]).T / pairs,
        2.0 * few * (within.sum(axis=1) - (n - 1) * mean_human) / pairs,
        2.0 * few * (spread.sum(axis=2) - (n - 1) * mean_model[:, None]).T / pairs,
        _second_order(between + between.transpose(0, 2, 1) - within - spread)
        if n >= FEWEST_CENTRED else np.zeros((k, k)),
    )  # fmt: skip


def _all_distances(sides: Sequence[Sequence[Scanpath]], kernel: str) -> tuple[Array, Array, Array]:
    """Return the distances within the first side, from it to each other one, and within each of those."""
    distinct = [_distinct(side) for side in sides]
    which = [code for _, code in distinct]
    own = distinct[0][0]
    if sum(len(paths) for paths, _ in distinct) <= TOGETHER:
        first = np.cumsum([0, *(len(paths) for paths, _ in distinct)])
        every = [path for paths, _ in distinct for path in paths]
        whole = pairwise(every, every, kernel)
        at = [code + start for code, start in zip(which, first[:-1], strict=True)]
        within = whole[np.ix_(at[0], at[0])]
        between = [whole[np.ix_(at[0], rows)] for rows in at[1:]]
        spread = [whole[np.ix_(rows, rows)] for rows in at[1:]]
    else:
        within = pairwise(own, own, kernel)[np.ix_(which[0], which[0])]
        others = list(zip((paths for paths, _ in distinct[1:]), which[1:], strict=True))
        between = [pairwise(own, paths, kernel)[np.ix_(which[0], rows)] for paths, rows in others]
        spread = [pairwise(paths, paths, kernel)[np.ix_(rows, rows)] for paths, rows in others]
    return within, np.stack(between), np.stack(spread)


def _general_terms(
    sentence: str, human: Sequence[Scanpath], models: Sequence[Sequence[Scanpath]],
    whose: Sequence[Sequence[str]], kernel: str,
) -> _SentenceTerms:  # fmt: skip
    """Return the terms where readers have any number of paths on either side."""
    everyone = list(dict.fromkeys(name for side in whose for name in side))
    place = {name: i for i, name in enumerate(everyone)}
    at = [np.array([place[name] for name in side], dtype=np.intp) for side in whose]
    n, k = len(everyone), len(models)
    own = [path.words for path in human]
    within_human, of_human = _within(pairwise(own, own, kernel), at[0], n)
    between, within_model = np.empty(k), np.empty(k)
    of_between, of_model = np.empty((n, k)), np.empty((n, k))
    for j, paths in enumerate(models):
        theirs, which = _distinct(paths)
        apart = pairwise(own, theirs, kernel)[:, which]  # (human, paths)
        spread = pairwise(theirs, theirs, kernel)[np.ix_(which, which)]
        between[j], of_between[:, j] = _between(apart, at[0], at[j + 1], n)
        within_model[j], of_model[:, j] = _within(spread, at[j + 1], n)
    return _SentenceTerms(
        sentence, everyone, between, within_human, within_model, of_between, of_human, of_model,
        np.zeros((k, k)),
    )  # fmt: skip


def _readers(paths: Sequence[Scanpath], named: bool, side: int) -> list[str]:
    """Return whose each path is; a path that stands for nobody is its own reader."""
    if named and all(path.reader_id for path in paths):
        return [path.reader_id for path in paths]
    return [f"\0{side} {i}" for i in range(len(paths))]


def _distinct(paths: Sequence[Scanpath]) -> tuple[list[Positions], Codes]:
    """Return the different paths and which of them each is: constant models have one."""
    number: dict[Positions, int] = {}
    which = [number.setdefault(path.words, len(number)) for path in paths]
    return list(number), np.array(which, dtype=np.intp)


def _within(distance: Array, reader: Codes, n: int) -> tuple[float, Array]:
    """Return the mean distance between paths of different readers, and what each reader contributes.

    Leaving out a reader changes a mean over pairs by twice the deviation of that reader's own mean.
    """
    by_reader, size = _by_reader(distance, reader, n)
    total, pairs = by_reader.sum() - np.trace(by_reader), size.sum() ** 2 - (size**2).sum()
    mean = float(total / pairs)
    sums = by_reader.sum(axis=1) - np.diag(by_reader)
    partners = size * (size.sum() - size)
    m = int((size > 0).sum())
    few = (m - 1) / (m - 2) if m > 2 else 0.0  # as deleting one reader at a time would give
    return mean, 2.0 * few * (sums - mean * partners) / pairs


def _between(distance: Array, human: Codes, model: Codes, n: int) -> tuple[float, Array]:
    """Return the mean distance between paths of different readers on the two sides, and contributions."""
    sums = np.zeros((n, n))
    np.add.at(sums, (human[:, None], model[None, :]), distance)
    n_human, n_model = np.bincount(human, minlength=n), np.bincount(model, minlength=n)
    own = np.diag(sums)
    pairs = n_human.sum() * n_model.sum() - (n_human * n_model).sum()
    if not pairs:
        return float("nan"), np.zeros(n)
    mean = float((sums.sum() - own.sum()) / pairs)
    as_human = sums.sum(axis=1) - own - mean * n_human * (n_model.sum() - n_model)
    as_model = sums.sum(axis=0) - own - mean * n_model * (n_human.sum() - n_human)
    m = int((n_human > 0).sum())
    few = (m - 1) / (m - 2) if m > 2 else 0.0
    return mean, few * (as_human + as_model) / pairs


def _by_reader(distance: Array, reader: Codes, n: int) -> tuple[Array, Array]:
    """Return the sums of distances by pair of readers, (n, n), and the number of paths of each."""
    size = np.bincount(reader, minlength=n).astype(np.float64)
    sums = np.zeros((n, n))
    np.add.at(sums, (reader[:, None], reader[None, :]), distance)
    return sums, size


def _second_order(kernels: Array) -> Array:
    """Return the covariance that the curvature of the kernels u(r, r') brings to one sentence, (k, k).

    A kernel (n, n) is centred by row and column; what is left are its second-order terms.
    """
    n = kernels.shape[1]
    here = np.arange(n)
    u = kernels.copy()
    u[:, here, here] = 0.0
    rows = u.sum(axis=2) / (n - 2)
    u = u - rows[:, :, None] - rows[:, None, :] + (rows.sum(axis=1) / (n - 1))[:, None, None]
    u[:, here, here] = 0.0
    flat = u.reshape(len(u), -1)
    # Centring takes n of the n (n − 1) / 2 freedoms.
    scale = 2.0 * (n - 1) / (n - 3) / (n * (n - 1)) ** 2
    return scale * np.einsum("ia,ja->ij", flat, flat)


def _mean_within(distance: Array) -> float:
    n = len(distance)
    return float(distance.sum() / (n * (n - 1)))

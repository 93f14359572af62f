"""Mean distances between the readers of one sentence, and what each reader changes in them.

A reader may have any number of paths on either side, or none. The paths of one reader are averaged, so
everybody counts once, however often a model was sampled for them: a model that reads as its readers do
would otherwise be at a distance from them. Every mean is over pairs of two different readers.

Many readers are compared block by block, so that memory grows with their number and not with its square.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scandl.records import Positions
from scandl.statistics.clustered import Codes
from scandl.statistics.distances import distinct, pairwise

Array = NDArray[np.float64]
Block = tuple[int, int]
"""The numbers of the first reader and of the one after the last."""

BLOCK = 512
"""Paths of one side that are compared with as many others at once."""
FEWEST_CENTRED = 4
"""Readers of a side below which doubly centred distances have no freedom left."""


@dataclass(frozen=True, slots=True)
class Side:
    """The paths of one side of a sentence, reader by reader."""

    readers: Codes  # (n,) the number of each reader, ascending
    first: Codes  # (n,) where the paths of each reader begin
    paths: Sequence[Positions]
    forms: Sequence[Positions]  # the different paths
    which: Codes  # (paths,) the form of each path

    def part(self, block: Block) -> Side:
        """Return the readers of a block."""
        at = _places(self.readers, block)
        if at.stop - at.start == len(self.readers):
            return self
        start, end = np.append(self.first, len(self.paths))[[at.start, at.stop]].tolist()
        paths = self.paths[start:end]
        return Side(self.readers[at], self.first[at] - start, paths, *distinct(paths))


def side_of(readers: Sequence[int], paths: Sequence[Positions]) -> Side:
    """Put paths together by reader; their order does not matter.

    >>> found = side_of([2, 0, 2], [(1,), (5,), (0,)])
    >>> found.readers, found.first, found.paths
    (array([0, 2]), array([0, 1]), [(5,), (0,), (1,)])
    """
    rows = sorted(zip(readers, paths, strict=True))
    numbers = np.array([reader for reader, _ in rows], dtype=np.intp)
    first = np.flatnonzero(np.diff(numbers, prepend=-1))
    ordered = [path for _, path in rows]
    return Side(numbers[first], first, ordered, *distinct(ordered))


def mean_distances(a: Side, b: Side, kernel: str) -> Array:
    """Return the mean distance of each reader of ``a`` to each of ``b``."""
    step = max(1, BLOCK * BLOCK // max(1, len(b.paths)))
    forms = [
        _averaged(pairwise(a.forms[i : i + step], b.forms, kernel)[:, b.which].T, b.first).T
        for i in range(0, max(1, len(a.forms)), step)
    ]
    return _averaged((forms[0] if len(forms) == 1 else np.concatenate(forms))[a.which], a.first)


def _averaged(rows: Array, first: Codes) -> Array:
    """Return the means of the rows from each ``first`` to the next."""
    if len(first) == len(rows):
        return rows
    return np.add.reduceat(rows, first, axis=0) / np.diff(first, append=len(rows))[:, None]


class Pairs:
    """Pairs of two different readers of two sides, or of one, for k such pairs of sides.

    Sides that stand at the same place have the same readers.
    """

    def __init__(self, sides: Sequence[tuple[Side, Side]], blocks: Sequence[Block], kernel: str) -> None:
        """Add up the distances; they are kept where one block holds them all."""
        self.sides, self.kernel = sides, kernel
        self.a, self.b = (side.readers for side in sides[0])
        self._kept: Array | None = None
        self.rows, self.columns = np.zeros((len(sides), len(self.a))), np.zeros((len(sides), len(self.b)))
        for one, other in product(blocks, blocks):
            found = self.distances(one, other)
            self.rows[:, _places(self.a, one)] += found.sum(axis=2)
            self.columns[:, _places(self.b, other)] += found.sum(axis=1)
            self._kept = found if len(blocks) == 1 else None
        self.both, self.in_a, self.in_b = _shared(self.a, self.b)
        self.n = len(self.a) * len(self.b) - len(self.both)
        self.means = self.rows.sum(axis=1) / self.n

    def distances(self, one: Block, other: Block) -> Array:
        """Return the distances of one block to another, (k, n, m); 0 between the paths of one reader."""
        if self._kept is not None:
            return self._kept
        parts = [(a.part(one), b.part(other)) for a, b in self.sides]
        found = np.stack([mean_distances(a, b, self.kernel) for a, b in parts])
        _, own, same = _shared(parts[0][0].readers, parts[0][1].readers)
        found[:, own, same] = 0.0
        return found

    def changes(self, n: int) -> Array:
        """Return the means less those without each of ``n`` readers, (n, k)."""
        sums, counts = np.zeros((len(self.sides), n)), np.zeros(n)
        for own, other, found in ((self.a, self.b, self.rows), (self.b, self.a, self.columns)):
            sums[:, own] += found
            counts[own] += len(other)
        counts[self.both] -= 2.0
        left = self.n - counts
        changed = (sums - self.means[:, None] * counts) / np.maximum(left, 1.0)
        return np.where(left > 0, changed, 0.0).T

    @cached_property
    def effects(self) -> tuple[Array, Array]:
        """The effects of the readers of either side whose sums fit the distances best, (k, n) and (k, m).

        By least squares: what they leave adds up to 0 for every reader.
        """
        n, m = len(self.a), len(self.b)
        own, same = self.rows[:, self.in_a], self.columns[:, self.in_b]
        freedom = (n - 1) * (m - 1) - 1
        of_a = self.rows / m
        of_a[:, self.in_a] = ((n - 1) * own + same) / freedom
        total = of_a.sum(axis=1, keepdims=True) / (1.0 + len(self.both) / freedom)
        of_a[:, self.in_a] -= total / freedom
        of_b = (self.columns - total) / n
        of_b[:, self.in_b] = ((m - 1) * (same - total) + own) / freedom
        return of_a, of_b

    def curvature(self, one: Block, other: Block) -> Tile:
        """Return what pairs of readers have beyond the effects of both, as its share of the means.

        The effects take a freedom for every reader, for which the scale makes up.
        """
        at, to = _places(self.a, one), _places(self.b, other)
        of_a, of_b = self.effects
        found = self.distances(one, other) - of_a[:, at, None]
        found -= of_b[:, None, to]
        found *= 1.0 / math.sqrt(self.n * (self.n - len(self.a) - len(self.b)))
        rows, columns = self.a[at], self.b[to]
        _, own, same = _shared(rows, columns)
        found[:, own, same] = 0.0
        return Tile(rows, columns, found)


@dataclass(frozen=True, slots=True)
class Tile:
    """Numbers for each reader of one block with each of another."""

    rows: Codes  # (n,)
    columns: Codes  # (m,)
    values: Array  # (k, n, m)

    @property
    def turned(self) -> Tile:
        """The other block with the one."""
        return Tile(self.columns, self.rows, self.values.transpose(0, 2, 1))

    def among(self, rows: Codes, columns: Codes) -> Array:
        """Return the numbers of other readers; 0 for those who have none."""
        if _equal(rows, self.rows) and _equal(columns, self.columns):
            return self.values
        _, at, own = _shared(rows, self.rows)
        _, to, same = _shared(columns, self.columns)
        found = np.zeros((len(self.values), len(rows), len(columns)))
        found[:, at[:, None], to] = self.values[:, own[:, None], same]
        return found


@dataclass(frozen=True, slots=True)
class SentenceMeans:
    """The mean distances of one sentence for k models.

    ``of_…`` is what each of the n readers changes: the mean less that without the reader.
    """

    size: Array  # (k,) readers of a side, the mean of human and model
    between: Array  # (k,)
    within_human: float
    within_model: Array  # (k,)
    of_between: Array  # (n, k)
    of_human: Array  # (n,)
    of_model: Array  # (n, k)
    second_order: Array  # (k, k) the variance that the curvature of the energy distances brings


class SameReaders(NamedTuple):
    """Models that have paths of the same readers."""

    places: list[int]
    apart: Pairs  # of humans and models
    inside: Pairs  # of each model


def sentence_means(human: Side, models: Sequence[Side], n: int, kernel: str) -> SentenceMeans:
    """Return the means between readers and each model, among readers and within each model.

    The readers of all sides together have the numbers below ``n``.
    """
    blocks = _blocks([human, *models], n)
    own = Pairs([(human, human)], blocks, kernel)
    k = len(models)
    between, spread, of_between, of_model = np.empty(k), np.empty(k), np.empty((n, k)), np.empty((n, k))
    groups = []
    for places in _alike(models):
        apart = Pairs([(human, models[j]) for j in places], blocks, kernel)
        inside = Pairs([(models[j], models[j]) for j in places], blocks, kernel)
        between[places], spread[places] = apart.means, inside.means
        of_between[:, places], of_model[:, places] = apart.changes(n), inside.changes(n)
        groups.append(SameReaders(places, apart, inside))
    return SentenceMeans(
        np.array([0.5 * (len(human.readers) + len(side.readers)) for side in models]),
        between,
        float(own.means[0]),
        spread,
        of_between,
        own.changes(n)[:, 0],
        of_model,
        _second_order(own, groups, blocks, k),
    )


def _alike(models: Sequence[Side]) -> list[list[int]]:
    """Return the places of models that have paths of the same readers."""
    found: dict[bytes, list[int]] = {}
    for j, side in enumerate(models):
        found.setdefault(side.readers.tobytes(), []).append(j)
    return list(found.values())


def _blocks(sides: Sequence[Side], n: int) -> list[Block]:
    """Cut the readers where those before have enough paths on some side."""
    if max(len(side.paths) for side in sides) <= BLOCK and n <= BLOCK:
        return [(0, n)]
    most = np.zeros(n, dtype=np.intp)
    for side in sides:
        most[side.readers] = np.maximum(most[side.readers], np.diff(side.first, append=len(side.paths)))
    cuts = (np.flatnonzero(np.diff((np.cumsum(most) - 1) // BLOCK)) + 1).tolist()
    return list(zip([0, *cuts], [*cuts, n], strict=True))


def _second_order(own: Pairs, groups: Sequence[SameReaders], blocks: Sequence[Block], k: int) -> Array:
    """Return the covariance that the curvature of the energy distances brings, (k, k).

    The variance of Σ u(r, q) over all r ≠ q is 2 Σ u(r, q)² where u(r, ·) is 0 in the mean. It is known
    for models and humans with enough readers.
    """
    found = np.zeros((k, k))
    known = [group for group in groups if min(len(group.apart.a), len(group.apart.b)) >= FEWEST_CENTRED]
    for one, other in combinations_with_replacement(blocks, 2) if known else ():
        within = own.curvature(one, other)
        tiles = [(group.places, _energy_tile(within, group, one, other)) for group in known]
        for (first, a), (second, b) in combinations_with_replacement(tiles, 2):
            rows, columns = _shared(a.rows, b.rows)[0], _shared(a.columns, b.columns)[0]
            x, y = a.among(rows, columns), b.among(rows, columns)
            for i, j in product(range(len(first)), range(len(second))):
                if first is not second or i <= j:
                    value = (2.0 if one == other else 4.0) * float((x[i] * y[j]).sum())
                    found[first[i], second[j]] += value
                    found[second[j], first[i]] = found[first[i], second[j]]
    return found


def _energy_tile(within: Tile, models: SameReaders, one: Block, other: Block) -> Tile:
    """Return the share of each pair of readers in the energy distances."""
    between, spread = models.apart.curvature(one, other), models.inside.curvature(one, other)
    back = (between if one == other else models.apart.curvature(other, one)).turned
    rows, columns = _either(within.rows, spread.rows), _either(within.columns, spread.columns)
    values = between.among(rows, columns) + back.among(rows, columns)
    return Tile(rows, columns, values - within.among(rows, columns) - spread.among(rows, columns))


def _places(readers: Codes, block: Block) -> slice:
    """Return which of the readers are in a block."""
    return slice(*readers.searchsorted(block).tolist())


def _equal(a: Codes, b: Codes) -> bool:
    return a is b or (len(a) == len(b) and bool((a == b).all()))


def _either(a: Codes, b: Codes) -> Codes:
    """Return the readers of one list or the other."""
    return a if _equal(a, b) else np.union1d(a, b)


def _shared(a: Codes, b: Codes) -> tuple[Codes, Codes, Codes]:
    """Return the readers of both lists, and where they stand in each."""
    if _equal(a, b):
        every = np.arange(len(a))
        return a, every, every
    return np.intersect1d(a, b, assume_unique=True, return_indices=True)

"""MultiMatch: five ways in which two scanpaths resemble each other.

After Jarodzka et al. (2010) and Dewhurst et al. (2012). All five lie near 1 even for unrelated
readings, so each has a companion that is 0 at chance.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scandl.extras import compiled
from scandl.measures.pair.alignment import Floats
from scandl.records import Positions
from scandl.seeds import stream

if TYPE_CHECKING:
    from scandl.pairing import Instance

FEWEST_FIXATIONS = 3  # two saccades: below that there is no shape to compare


class MultiMatch(NamedTuple):
    """The five similarities; 1 is identical, NaN undefined."""

    shape: float
    direction: float
    length: float
    position: float
    duration: float


UNDEFINED = MultiMatch(*[math.nan] * 5)


@dataclass(frozen=True, slots=True)
class PlacedPath:
    """A path through a sentence of ``n_words``."""

    words: Positions
    durations: tuple[float, ...] | None
    n_words: int

    def on_a_line(self) -> Floats:
        """Return rows (x, y, ms): x is the word's position, y is 0, an unknown duration is NaN.

        >>> PlacedPath((0, 2), (200, 250), n_words=5).on_a_line()
        array([[  0.,   0., 200.],
               [  2.,   0., 250.]])
        """
        unknown = np.full(len(self.words), np.nan)
        ms = unknown if self.durations is None else np.array(self.durations, dtype=np.float64)
        x = np.array(self.words, dtype=np.float64)
        return np.stack([x, np.zeros_like(x), ms], axis=1)

    def stretched(self, n_words: int) -> PlacedPath:
        """Return the path with its positions scaled to a sentence of ``n_words``.

        >>> PlacedPath((0, 2, 4), None, n_words=5).stretched(10).words
        (0, 4, 8)
        """
        return PlacedPath(
            tuple(word * n_words // self.n_words for word in self.words), self.durations, n_words
        )


def multimatch(human: Floats, predicted: Floats, diagonal: float) -> MultiMatch:
    """Compare two paths given as rows (x, y, ms), on a screen of this diagonal in the unit of x and y.

    Saccade vectors u and v are aligned by the cheapest monotone path through the matrix ‖u_i − v_j‖,
    the cost of every cell entered counting. Over the aligned pairs the medians of the differences in
    shape ‖u − v‖ / 2D, direction angle / π, length |‖u‖ − ‖v‖| / D, position (of the saccades'
    starts) ‖p − q‖ / D and duration |d1 − d2| / max(d1, d2) are taken from 1. Among equally cheap
    alignments the one that goes diagonally as late as possible is taken; other programs may choose
    another one, and with whole word positions ties are common.

    >>> line = np.array([[0.0, 0, 200], [1, 0, 200], [3, 0, 200]])
    >>> multimatch(line, line + [0, 0, 200], diagonal=10).duration
    0.5
    >>> multimatch(line, line + [1, 0, 0], diagonal=10).position
    0.9
    """
    if min(len(human), len(predicted)) < FEWEST_FIXATIONS:
        return UNDEFINED
    (p, q), (d1, d2) = (human[:, :2], predicted[:, :2]), (human[:-1, 2], predicted[:-1, 2])
    u, v = p[1:] - p[:-1], q[1:] - q[:-1]  # (m, 2), (n, 2)
    i, j = cheapest_path(np.hypot(*(u[:, None] - v[None]).transpose(2, 0, 1))).T
    (p, d1, u), (q, d2, v) = (p[i], d1[i], u[i]), (q[j], d2[j], v[j])
    angle = np.abs(np.arctan2(u[:, 1], u[:, 0]) - np.arctan2(v[:, 1], v[:, 0]))
    longer = np.maximum(d1, d2)
    apart = np.stack(
        [
            np.hypot(*(u - v).T) / (2.0 * diagonal),
            np.minimum(angle, 2.0 * np.pi - angle) / np.pi,
            np.abs(np.hypot(*u.T) - np.hypot(*v.T)) / diagonal,
            np.hypot(*(p - q).T) / diagonal,
            np.abs(d1 - d2) / np.where(longer > 0, longer, 1.0),
        ]
    )
    return MultiMatch(*(1.0 - _medians(apart)).tolist())


def _medians(rows: Floats) -> Floats:
    """Return the median of each row, NaN where it holds one: many times as fast as NumPy's for few values."""
    ordered = np.sort(rows, axis=1)  # NaN last
    n = rows.shape[1]
    middle = 0.5 * (ordered[:, (n - 1) // 2] + ordered[:, n // 2])
    return np.where(np.isnan(ordered[:, -1]), np.nan, middle)


def score(instances: Sequence[Instance], *, dimension: str, above_chance: bool = False) -> Floats:
    """Return one dimension for each instance, words lying on a line as long as the sentence.

    NaN where the text is unknown, a path has fewer than three fixations, or durations are asked for
    and absent. ``above_chance`` gives (x − chance) / (1 − chance), NaN where chance is unknown or 1.
    """
    found = np.full(len(instances), np.nan)
    for i, one in enumerate(instances):
        if one.n_words is not None:
            human = PlacedPath(one.human, one.human_durations, one.n_words)
            predicted = PlacedPath(one.prediction.predicted, one.prediction.durations, one.n_words)
            found[i] = getattr(_compare(human, predicted), dimension)
    if not above_chance:
        return found
    by_chance = chance(instances, dimension)
    return (found - by_chance) / (1.0 - by_chance if by_chance < 1.0 else math.nan)


def chance(instances: Sequence[Instance], dimension: str) -> float:
    """Return the mean similarity of human readings of different sentences.

    Each human reading meets one of another sentence, drawn at random, its positions stretched to the
    same number of words. Only the human side and the items matter, so that all models scored on the
    same instances stand above the same chance. NaN when there is only one sentence.
    """
    read = frozenset(
        (one.prediction.sentence_id, PlacedPath(one.human, one.human_durations, one.n_words))
        for one in instances
        if one.n_words is not None
    )
    return float(getattr(_chances(read), dimension))


@lru_cache(maxsize=8)  # five dimensions of every model stand above the same
def _chances(read: frozenset[tuple[str, PlacedPath]]) -> MultiMatch:
    """Return the mean of each dimension over readings that meet one of another sentence."""
    order = sorted(read, key=lambda pair: (pair[0], pair[1].words, pair[1].durations or ()))
    sentences = [sentence_id for sentence_id, _ in order]
    rng = stream(0, "multimatch", "chance")
    values = []
    for sentence_id, reading in order:
        first, end = bisect_left(sentences, sentence_id), bisect_right(sentences, sentence_id)
        if end - first == len(order):
            return UNDEFINED
        drawn = int(rng.integers(len(order) - (end - first)))
        _, other = order[drawn if drawn < first else drawn + end - first]
        values.append(_compare(reading, other.stretched(reading.n_words)))
    return MultiMatch(*map(_known_mean, zip(*values, strict=True))) if values else UNDEFINED


def _known_mean(values: Sequence[float]) -> float:
    known = [value for value in values if not math.isnan(value)]  # too short, or no durations
    return float(np.mean(known)) if known else math.nan


@lru_cache(maxsize=2**16)  # five dimensions and their companions ask for the same comparison
def _compare(human: PlacedPath, predicted: PlacedPath) -> MultiMatch:
    return multimatch(human.on_a_line(), predicted.on_a_line(), diagonal=float(human.n_words))


@compiled
def cheapest_path(cost: Floats) -> NDArray[np.int64]:
    """Return the cells (i, j) of the cheapest monotone way from the first to the last cell of ``cost``."""
    m, n = cost.shape
    total = np.empty((m, n))
    for i in range(m):
        for j in range(n):
            before = np.inf
            if i > 0:
                before = min(before, total[i - 1, j])
            if j > 0:
                before = min(before, total[i, j - 1])
            if i > 0 and j > 0:
                before = min(before, total[i - 1, j - 1])
            total[i, j] = cost[i, j] + (before if i + j > 0 else 0.0)
    cells = np.empty((m + n - 1, 2), dtype=np.int64)
    i, j, k = m - 1, n - 1, m + n - 2
    cells[k, 0], cells[k, 1] = i, j
    while i + j > 0:
        if i > 0 and j > 0 and total[i - 1, j - 1] <= min(total[i - 1, j], total[i, j - 1]):
            i, j = i - 1, j - 1
        elif j == 0 or (i > 0 and total[i - 1, j] <= total[i, j - 1]):
            i = i - 1
        else:
            j = j - 1
        k = k - 1
        cells[k, 0], cells[k, 1] = i, j
    return cells[k:]

"""MultiMatch: five ways in which two scanpaths resemble each other.

After Jarodzka et al. (2010) and Dewhurst et al. (2012). All five lie near 1 even for unrelated
readings, so each has a companion that is 0 at chance.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from scandl.extras import compiled
from scandl.measures.pair.alignment import Floats
from scandl.records import Positions
from scandl.seeds import stream

if TYPE_CHECKING:
    from scandl.pairing import Instance

Durations: TypeAlias = tuple[float, ...]
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
    durations: Durations | None
    n_words: int

    def on_a_line(self) -> Floats:
        """Return rows (x, y, ms): x is the word's position, y is 0, an unknown duration is NaN.

        >>> PlacedPath((0, 2), (200, 250), n_words=5).on_a_line()
        array([[  0.,   0., 200.],
               [  2.,   0., 250.]])
        """
        rows = np.zeros((len(self.words), 3))
        rows[:, 0] = self.words
        rows[:, 2] = np.nan if self.durations is None else self.durations
        return rows

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
    return MultiMatch(*(1.0 - _medians(_apart(human, predicted, diagonal))).tolist())


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
    k = MultiMatch._fields.index(dimension)
    values, by_chances = _all_dimensions(instances)
    if not above_chance:
        return values[k].copy()
    by_chance = by_chances[k]
    return (values[k] - by_chance) / (1.0 - by_chance if by_chance < 1.0 else math.nan)


def chance(instances: Sequence[Instance]) -> MultiMatch:
    """Return the mean similarities of human readings of different sentences.

    Each human reading meets one of another sentence, drawn at random, its positions stretched to the
    same number of words. Only the human side and the items matter, so that all models scored on the
    same instances stand above the same chance. NaN when there is only one sentence.
    """
    read = frozenset(
        (one.prediction.sentence_id, PlacedPath(one.human, one.human_durations, one.n_words))
        for one in instances
        if one.n_words is not None
    )
    return _chances(read)


@lru_cache(maxsize=8)  # all models stand above the same
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


_KEPT: deque[tuple[Sequence[Instance], tuple[Floats, MultiMatch]]] = deque(maxlen=4)
"""What was found of the instances asked for last: all dimensions and their companions ask for the same."""


def _all_dimensions(instances: Sequence[Instance]) -> tuple[Floats, MultiMatch]:
    """Return every dimension of all instances, (5, n), and by chance."""
    for known, kept in _KEPT:
        if known is instances:
            return kept
    found = np.full((len(MultiMatch._fields), len(instances)), np.nan)
    for i, one in enumerate(instances):
        if (n_words := one.n_words) is not None:
            predicted = PlacedPath(one.prediction.predicted, one.prediction.durations, n_words)
            found[:, i] = _compare(PlacedPath(one.human, one.human_durations, n_words), predicted)
    _KEPT.append((instances, (found, chance(instances))))
    return _KEPT[-1][1]


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


@compiled
def _apart(human: Floats, predicted: Floats, diagonal: float) -> Floats:
    """Return how far aligned saccades are apart in each dimension, (5, pairs)."""
    u, v = human[1:, :2] - human[:-1, :2], predicted[1:, :2] - predicted[:-1, :2]  # (m, 2), (n, 2)
    cost = np.empty((len(u), len(v)))
    for i in range(len(u)):
        for j in range(len(v)):
            cost[i, j] = math.hypot(u[i, 0] - v[j, 0], u[i, 1] - v[j, 1])
    cells = cheapest_path(cost)
    apart = np.empty((5, len(cells)))
    for k in range(len(cells)):
        i, j = cells[k]
        p, q, d1, d2 = human[i], predicted[j], human[i, 2], predicted[j, 2]
        angle = abs(math.atan2(u[i, 1], u[i, 0]) - math.atan2(v[j, 1], v[j, 0]))
        apart[0, k] = cost[i, j] / (2.0 * diagonal)
        apart[1, k] = min(angle, 2.0 * math.pi - angle) / math.pi
        apart[2, k] = abs(math.hypot(u[i, 0], u[i, 1]) - math.hypot(v[j, 0], v[j, 1])) / diagonal
        apart[3, k] = math.hypot(p[0] - q[0], p[1] - q[1]) / diagonal
        longer = max(d1, d2)
        apart[4, k] = abs(d1 - d2) / (longer if longer > 0.0 else 1.0)
    return apart

"""Alignments in which every edit has its own price: weighted edit distance, ScanMatch, scasim."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from scandl.extras import compiled

if TYPE_CHECKING:
    from scandl.pairing import Instance


Floats: TypeAlias = NDArray[np.float64]


@compiled
def alignment_cost(substitution: Floats, deletion: Floats, insertion: Floats) -> float:
    """Return the least total cost: substitutions (m, n), deletions (m,), insertions (n,)."""
    m, n = substitution.shape
    cost = np.empty((m + 1, n + 1))
    cost[0, 0] = 0.0
    for i in range(m):
        cost[i + 1, 0] = cost[i, 0] + deletion[i]
    for j in range(n):
        cost[0, j + 1] = cost[0, j] + insertion[j]
    for i in range(m):
        for j in range(n):
            edit = min(cost[i, j + 1] + deletion[i], cost[i + 1, j] + insertion[j])
            cost[i + 1, j + 1] = min(edit, cost[i, j] + substitution[i, j])
    return float(cost[m, n])


def gaps(a: Floats, b: Floats) -> Floats:
    """Return |a_i − b_j| for all i (rows) and j (columns).

    >>> gaps(np.array([1.0, 2.0]), np.array([1.0, 4.0]))
    array([[0., 3.],
           [1., 2.]])
    """
    return np.abs(a[:, None] - b[None, :])


def weighted_edit(human: Sequence[int], predicted: Sequence[int], c: float = 3.0) -> float:
    """Return the edit distance with substitution cost min(1, |i − j| / c); a gap costs 1.

    >>> weighted_edit([0, 1, 2], [0, 1, 5])
    1.0
    >>> weighted_edit([0, 1, 2, 3], [0, 1, 2]), weighted_edit([0, 3], [0, 6], c=6)
    (1.0, 0.5)
    """
    a, b = np.array(human, dtype=np.float64), np.array(predicted, dtype=np.float64)
    return alignment_cost(np.minimum(1.0, gaps(a, b) / c), np.ones(len(a)), np.ones(len(b)))


def score_edit(instances: Sequence[Instance], *, normalised: bool = False) -> Floats:
    """Return the weighted edit distance of each instance, or its share of the longer path."""
    values = []
    for instance in instances:
        human, predicted = instance.human, instance.prediction.predicted
        longest = max(len(human), len(predicted), 1) if normalised else 1
        values.append(weighted_edit(human, predicted) / longest)
    return np.array(values)


def scanmatch(human: Sequence[int], predicted: Sequence[int], c: float = 2.0) -> float:
    """Return the Needleman–Wunsch score as a share of the greatest possible: 1 is identical.

    Words i and j that are aligned score c − |i − j|, a gap scores 0; the sum is divided by c times
    the longer length. Two empty paths are identical.

    >>> scanmatch([1, 2, 3, 4, 5], [1, 3, 4, 4, 5])
    0.8
    >>> scanmatch([1], [5]), scanmatch([], [1]), scanmatch([], [])
    (0.0, 0.0, 1.0)
    """
    longest = max(len(human), len(predicted))
    if longest == 0:
        return 1.0
    a, b = np.array(human, dtype=np.float64), np.array(predicted, dtype=np.float64)
    # The greatest score is the least cost with the sign turned.
    least = alignment_cost(gaps(a, b) - c, np.zeros(len(a)), np.zeros(len(b)))
    return -least / (c * longest) + 0.0  # + 0.0 turns −0.0 into 0.0


def binned(words: Sequence[int], durations: Sequence[float], bin_ms: float) -> list[int]:
    """Repeat each word once per ``bin_ms`` of its fixation, halves rounded up.

    >>> binned([0, 3, 4], [100, 125, 20], bin_ms=50)
    [0, 0, 3, 3, 3]
    """
    repeats = np.floor(np.array(durations, dtype=np.float64) / bin_ms + 0.5).astype(np.int64)
    return [int(word) for word in np.repeat(np.array(words, dtype=np.int64), repeats)]


def score_scanmatch(instances: Sequence[Instance], *, bin_ms: float | None = None) -> Floats:
    """Return ScanMatch of each instance; with bins, NaN where durations are unknown."""
    values = np.full(len(instances), np.nan)
    for i, instance in enumerate(instances):
        human, predicted = instance.human, instance.prediction.predicted
        if bin_ms is None:
            values[i] = scanmatch(human, predicted)
        elif instance.human_durations is not None and instance.prediction.durations is not None:
            values[i] = scanmatch(
                binned(human, instance.human_durations, bin_ms),
                binned(predicted, instance.prediction.durations, bin_ms),
            )
    return values


Fixation: TypeAlias = tuple[int, float]
"""(word position, ms)"""
Normalisation: TypeAlias = Literal["none", "fixations", "duration"]

DROP_OFF = 0.83  # μ per degree: how acuity, and with it similarity, falls with the distance


def scasim(
    human: Sequence[Fixation],
    predicted: Sequence[Fixation],
    *,
    degrees_per_word: float = 1.0,
    normalise: Normalisation = "none",
) -> float:
    """Return the cost in ms of turning one path of (word, ms) into the other.

    A fixation is inserted or deleted at the price of its duration. Two fixations θ degrees apart
    are exchanged at |d1 − d2|·μ + (d1 + d2)(1 − μ) with μ = 0.83^θ. On a line of words θ is
    ``degrees_per_word`` times the number of words between them: a choice to report with the number.

    >>> round(scasim([(1, 200), (2, 250), (4, 180)], [(1, 210), (3, 240)]), 5)
    281.6
    >>> scasim([], [(1, 210), (3, 240)])
    450.0
    >>> scasim([(1, 200)], [(1, 300)], normalise="duration")
    0.2
    """
    (words_a, ms_a), (words_b, ms_b) = _columns(human), _columns(predicted)
    mu = DROP_OFF ** (degrees_per_word * gaps(words_a, words_b))
    substitution = gaps(ms_a, ms_b) * mu + (ms_a[:, None] + ms_b[None, :]) * (1.0 - mu)
    cost = alignment_cost(substitution, ms_a, ms_b)
    if normalise == "none":
        return cost
    total = len(ms_a) + len(ms_b) if normalise == "fixations" else float(ms_a.sum() + ms_b.sum())
    return cost / total if total else 0.0


def score_scasim(instances: Sequence[Instance], *, normalise: Normalisation = "none") -> Floats:
    """Return scasim at one degree per word for each instance; NaN where durations are unknown."""
    values = np.full(len(instances), np.nan)
    for i, instance in enumerate(instances):
        human, predicted = instance.human_durations, instance.prediction.durations
        if human is not None and predicted is not None:
            values[i] = scasim(
                list(zip(instance.human, human, strict=True)),
                list(zip(instance.prediction.predicted, predicted, strict=True)),
                normalise=normalise,
            )
    return values


def _columns(path: Sequence[Fixation]) -> tuple[Floats, Floats]:
    """Return words and durations."""
    table = np.array(path, dtype=np.float64).reshape(-1, 2)
    return np.ascontiguousarray(table[:, 0]), np.ascontiguousarray(table[:, 1])

"""ScanMatch: the best alignment of two scanpaths, near words counting in part (Cristino et al., 2010)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from scandl.measures.pair.alignment import Floats, alignment_cost, gaps

if TYPE_CHECKING:
    from scandl.pairing import Instance


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


def score(instances: Sequence[Instance], *, bin_ms: float | None = None) -> Floats:
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

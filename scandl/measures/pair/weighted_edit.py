"""An edit distance in which looking at a neighbouring word is a smaller error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from scandl.measures.pair.alignment import Floats, alignment_cost, gaps

if TYPE_CHECKING:
    from scandl.pairing import Instance


def weighted_edit(human: Sequence[int], predicted: Sequence[int], c: float = 3.0) -> float:
    """Return the edit distance with substitution cost min(1, |i − j| / c); a gap costs 1.

    >>> weighted_edit([0, 1, 2], [0, 1, 5])
    1.0
    >>> weighted_edit([0, 1, 2, 3], [0, 1, 2]), weighted_edit([0, 3], [0, 6], c=6)
    (1.0, 0.5)
    """
    a, b = np.array(human, dtype=np.float64), np.array(predicted, dtype=np.float64)
    return alignment_cost(np.minimum(1.0, gaps(a, b) / c), np.ones(len(a)), np.ones(len(b)))


def score(instances: Sequence[Instance], *, normalised: bool = False) -> Floats:
    """Return the weighted edit distance of each instance, or its share of the longer path."""
    values = []
    for instance in instances:
        human, predicted = instance.human, instance.prediction.predicted
        longest = max(len(human), len(predicted), 1) if normalised else 1
        values.append(weighted_edit(human, predicted) / longest)
    return np.array(values)

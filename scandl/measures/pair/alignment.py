"""The cheapest way to turn one sequence into another, when every edit has its own price."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from scandl.extras import compiled

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

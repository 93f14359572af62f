"""What an LSTM cell does to each unit between two matrix products, forwards and back, as machine code.

Torch would walk over the units once for every operation. Blocks are (directions, elements, units), four
times the units for the gates, in torch's order: input, forget, candidate, output. A step works on ``size``
elements from ``first`` on; the states before theirs begin at ``at`` in ``before``.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from scandl.compiled import compiled

Floats: TypeAlias = NDArray[np.floating[Any]]

ONE = np.float32(1)  # a Python number would make doubles of single floats


@compiled
def update_cell(
    gates: Floats, cell: Floats, twice: Floats, before: Floats, at: int, first: int, size: int
) -> None:
    """Write the cell states, and ``twice`` their values.

    tanh(x) is 2σ(2x) − 1, so that all gates were one call of the logistic function: the candidate
    comes as that of twice its input, and becomes its tanh here.
    """
    directions, _, units = cell.shape
    for d in range(directions):
        for n in range(size):
            e, b = first + n, at + n
            for k in range(units):
                logistic = gates[d, e, 2 * units + k]
                g = logistic + logistic - ONE
                c = gates[d, e, k] * g + gates[d, e, units + k] * before[d, b, k]
                gates[d, e, 2 * units + k] = g
                cell[d, e, k] = c
                twice[d, e, k] = c + c


@compiled
def update_hidden(gates: Floats, hidden: Floats, squashed: Floats, first: int, size: int) -> None:
    """Write the hidden states; ``squashed`` is σ of twice the cell states and becomes their tanh."""
    directions, _, units = hidden.shape
    for d in range(directions):
        for e in range(first, first + size):
            for k in range(units):
                s = squashed[d, e, k] + squashed[d, e, k] - ONE
                squashed[d, e, k] = s
                hidden[d, e, k] = gates[d, e, 3 * units + k] * s


@compiled
def backpropagate(
    d_hidden: Floats,
    d_cell: Floats,
    d_gates: Floats,
    gates: Floats,
    squashed: Floats,
    before: Floats,
    at: int,
    first: int,
    size: int,
) -> None:
    """Write the gradient of the inputs of the gates.

    ``d_cell``, (directions, sequences, units), is that of the cell states as the next step left it, and
    is left as that of the states before.
    """
    directions, _, units = d_cell.shape
    for d in range(directions):
        for n in range(size):
            e, b = first + n, at + n
            for k in range(units):
                i, f = gates[d, e, k], gates[d, e, units + k]
                g, o = gates[d, e, 2 * units + k], gates[d, e, 3 * units + k]
                s, d_h = squashed[d, e, k], d_hidden[d, e, k]
                d_c = d_cell[d, n, k] + d_h * o * (ONE - s * s)
                d_gates[d, e, k] = d_c * g * i * (ONE - i)
                d_gates[d, e, units + k] = d_c * before[d, b, k] * f * (ONE - f)
                d_gates[d, e, 2 * units + k] = d_c * i * (ONE - g * g)
                d_gates[d, e, 3 * units + k] = d_h * s * o * (ONE - o)
                d_cell[d, n, k] = d_c * f

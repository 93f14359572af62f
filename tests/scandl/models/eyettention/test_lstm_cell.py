"""One step of an LSTM cell: the formulas, and gradients by finite differences."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from scandl.models.eyettention.lstm_cell import backpropagate, update_cell, update_hidden

Floats = NDArray[np.float64]
UNITS, SIZE = 3, 2


def sigmoid(x: Floats) -> Floats:
    return 1 / (1 + np.exp(-x))


def step(inputs: Floats, before: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Run the compiled step on the inputs of the gates; returns hidden, cell, gates, tanh of the cell."""
    gates = sigmoid(inputs * np.repeat([1, 1, 2, 1], UNITS))  # the candidate comes as that of twice its input
    cell, twice, hidden = (np.zeros((1, SIZE, UNITS)) for _ in range(3))
    update_cell(gates, cell, twice, before, 0, 0, SIZE)
    squashed = sigmoid(twice)
    update_hidden(gates, hidden, squashed, 0, SIZE)
    return hidden, cell, gates, squashed


@pytest.fixture
def drawn() -> tuple[Floats, Floats]:
    rng = np.random.default_rng(5)
    return rng.normal(size=(1, SIZE, 4 * UNITS)), rng.normal(size=(1, SIZE, UNITS))


def test_a_step_follows_the_formulas(drawn: tuple[Floats, Floats]) -> None:
    inputs, before = drawn
    hidden, cell, _, _ = step(inputs, before)
    i, f, g, o = np.split(inputs, 4, axis=-1)
    expected = sigmoid(f) * before + sigmoid(i) * np.tanh(g)
    np.testing.assert_allclose(cell, expected)
    np.testing.assert_allclose(hidden, sigmoid(o) * np.tanh(expected))


def test_gradients_are_those_of_finite_differences(drawn: tuple[Floats, Floats]) -> None:
    inputs, before = drawn
    rng = np.random.default_rng(6)
    d_hidden, d_cell = rng.normal(size=(2, 1, SIZE, UNITS))

    def loss(x: Floats, c: Floats) -> float:
        hidden, cell, _, _ = step(x, c)
        return float((hidden * d_hidden).sum() + (cell * d_cell).sum())

    _, _, gates, squashed = step(inputs, before)
    d_gates, d_before = np.zeros_like(inputs), d_cell.copy()
    backpropagate(d_hidden, d_before, d_gates, gates, squashed, before, 0, 0, SIZE)
    for array, gradient, which in ((inputs, d_gates, 0), (before, d_before, 1)):
        for place in np.ndindex(array.shape):
            moved = [[inputs.copy(), before.copy()] for _ in range(2)]
            for sign, arrays in zip((1, -1), moved, strict=True):
                arrays[which][place] += sign * 1e-6
            slope = (loss(*moved[0]) - loss(*moved[1])) / 2e-6
            assert gradient[place] == pytest.approx(slope, abs=1e-7)

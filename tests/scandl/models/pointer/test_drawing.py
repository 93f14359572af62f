from __future__ import annotations

import numpy as np
import pytest

from scandl.models.pointer.drawing import MARGIN, draw, draw_below


def test_outcomes_come_as_often_as_they_are_probable() -> None:
    rng = np.random.default_rng(1)
    probabilities = np.array([0.1, 0.0, 0.6, 0.3])
    with np.errstate(divide="ignore"):
        logits = np.tile(np.log(probabilities), (40_000, 1))
    drawn, clear = draw(logits, rng.random(len(logits)))
    assert np.bincount(drawn, minlength=4) / len(drawn) == pytest.approx(probabilities, abs=0.01)
    assert clear.mean() > 0.999


def test_the_outcome_is_the_first_whose_cumulative_probability_is_above_the_number() -> None:
    rng = np.random.default_rng(2)
    below = np.sort(rng.random((200, 5)), axis=1)
    below[:, -1] = 1.0
    u = rng.random(200)
    drawn, _ = draw_below(below, u)
    slow = [next(k for k, border in enumerate(row) if u[i] < border) for i, row in enumerate(below)]
    assert drawn.tolist() == slow


def test_a_number_near_a_border_is_not_clear_and_one_outcome_always_is() -> None:
    below = np.array([[0.5, 1.0]] * 3)
    _, clear = draw_below(below, np.array([0.5 - MARGIN / 2, 0.5 + 2 * MARGIN, 0.9]))
    assert clear.tolist() == [False, True, True]
    drawn, clear = draw(np.zeros((2, 1)), np.array([0.0, 0.999]))
    assert (drawn.tolist(), clear.tolist()) == ([0, 0], [True, True])

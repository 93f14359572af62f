"""What the tests of metrics share: random paths, and instances made from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest

from scandl.pairing import Instance
from scandl.records import Positions, Prediction

Pairs = list[tuple[Positions, Positions]]


@pytest.fixture
def random_pairs() -> Callable[[int], Pairs]:
    """Return pairs of paths of 0 to 11 fixations, some empty, some alike."""

    def pairs(n: int) -> Pairs:
        rng = np.random.default_rng(20)

        def path() -> Positions:
            return tuple(rng.integers(0, 7, rng.integers(0, 12)).tolist())

        return [(path(), path()) for _ in range(n)]

    return pairs


@pytest.fixture
def instance() -> Callable[..., Instance]:
    """Return an instance from its two paths; further fields by name."""

    def make(human: Positions, predicted: Positions, **fields: Any) -> Instance:
        text, sentence_id = fields.get("text"), fields.get("sentence_id", "s1")
        prediction = Prediction(
            sentence_id, predicted, human, text=text, raw=fields.get("raw"), durations=fields.get("durations")
        )
        return Instance(prediction, human, "r1", fields.get("human_durations"), text)

    return make


@pytest.fixture
def slow_alignment() -> Callable[..., float]:
    """Return the least cost of turning one sequence into another, by the recursive definition."""

    def least(
        substitution: Sequence[Sequence[float]], deletion: Sequence[float], insertion: Sequence[float]
    ) -> float:
        @cache
        def cost(i: int, j: int) -> float:
            ways = []
            if i:
                ways.append(cost(i - 1, j) + deletion[i - 1])
            if j:
                ways.append(cost(i, j - 1) + insertion[j - 1])
            if i and j:
                ways.append(cost(i - 1, j - 1) + substitution[i - 1][j - 1])
            return min(ways, default=0.0)

        return cost(len(deletion), len(insertion))

    return least

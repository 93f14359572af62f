"""Walks by steps: classes of steps, and the law of what they land on."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from scandl_eval.models.baselines.step_walks import END, LAPSE, N_CLASSES, Row, step_class


def test_row_sums_the_classes_that_land_on_the_same_word():
    weights = [1.0 + k for k in range(N_CLASSES)]
    row, total = Row(weights), sum(weights)
    for n_words in (1, 4, 50):
        for at in {-1, 0, n_words // 2, n_words - 1}:
            landing: Counter[int] = Counter()
            for k, weight in enumerate(weights):
                step = k - 21
                landing[n_words if k == END else min(max(at + step, 0), n_words)] += weight
            found = {to: row.probability(at, to, n_words) for to in range(n_words + 1)}
            assert math.fsum(found.values()) == pytest.approx(1.0)
            for to, probability in found.items():
                lapse = LAPSE / (n_words + 1)
                assert probability == pytest.approx(lapse + (1 - LAPSE) * landing[to] / total)


def test_row_draws_every_outcome_at_the_borders_of_its_interval():
    row = Row([0.0] * 21 + [1.0, 1.0] + [0.0] * 21 + [2.0])  # stay, next word, END
    assert [row.draw(1, 3, u) for u in (0.2, 0.4, 0.6, 1 - 1e-16)] == [1, 2, 3, 3]
    assert [row.draw(1, 3, LAPSE * share) for share in (0.0, 0.3, 0.6, 0.9)] == [0, 1, 2, 3]


def test_steps_longer_than_the_classes_count_as_the_longest():
    assert [step_class(step) for step in (-99, -21, -1, 0, 1, 22, 99)] == [0, 0, 20, 21, 22, 43, 43]

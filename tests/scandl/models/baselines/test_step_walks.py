"""Walks by steps: classes of steps, and the law of what they land on."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from scandl.models.baselines.step_walks import (
    END,
    LAPSE,
    MAX_FIXATIONS,
    N_CLASSES,
    StepProbabilities,
    class_counts,
    step_class,
    transitions,
)
from scandl.models.baselines.trivial import TrainLabelDist
from scandl.models.model import Request
from scandl.records import Sentence


def test_row_sums_the_classes_that_land_on_the_same_word():
    weights = [1.0 + k for k in range(N_CLASSES)]
    row, total = StepProbabilities(weights), sum(weights)
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
    row = StepProbabilities([0.0] * 21 + [1.0, 1.0] + [0.0] * 21 + [2.0])  # stay, next word, END
    assert [row.draw(1, 3, u) for u in (0.2, 0.4, 0.6, 1 - 1e-16)] == [1, 2, 3, 3]
    assert [row.draw(1, 3, LAPSE * share) for share in (0.0, 0.3, 0.6, 0.9)] == [0, 1, 2, 3]


def test_steps_longer_than_the_classes_count_as_the_longest():
    assert [step_class(step) for step in (-99, -21, -1, 0, 1, 22, 99)] == [0, 0, 20, 21, 22, 43, 43]


def test_classes_counted_at_once_are_those_of_the_transitions():
    rng = np.random.default_rng(1)
    paths = [tuple(rng.integers(0, 60, n).tolist()) for n in (0, 3, 1, 7, 0, 12)]
    slow = Counter(following for path in paths for _, _, following in transitions(path))
    assert class_counts(paths) == [slow[k] for k in range(N_CLASSES)]
    assert class_counts([]) == [0] * N_CLASSES


@pytest.mark.parametrize("share", [0.0, 0.4])  # of END: without it, walks last as long as they may
def test_walks_at_once_are_those_drawn_one_after_the_other(share):
    rng = np.random.default_rng(2)
    weights = rng.random(N_CLASSES)
    weights[END] = share * weights.sum()
    row = StepProbabilities(weights.tolist())
    n_words = rng.integers(1, 40, 5000).tolist()
    walk = TrainLabelDist(row)
    one_by_one = np.random.default_rng(3)
    slow = [walk.draw(Request(Sentence("s", "w " * n)), one_by_one) for n in n_words]
    assert row.walks(n_words, np.random.default_rng(3).random((5000, MAX_FIXATIONS))) == slow
    assert max(map(len, slow)) <= MAX_FIXATIONS

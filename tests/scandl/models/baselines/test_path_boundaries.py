"""Beginnings and ends: counted by hand, and a distribution over all paths."""

from __future__ import annotations

import math
from itertools import product

import pytest

from scandl.models.baselines.path_boundaries import Boundaries, Stage


def test_counts_by_hand() -> None:
    found = Boundaries.learned([((0, 1, 2), 3), ((1, 2, 0), 3), ((0, 0), 3)])
    assert found.end == {
        Stage.BEFORE: (1 + 0.5) / (5 + 1),
        Stage.LAST: (1 + 0.5) / (2 + 1),
        Stage.AFTER: (1 + 0.5) / (1 + 1),
    }
    assert found.first_probs(2) == pytest.approx([(2 + 1 / 2) / 4, (1 + 1 / 2) / 4])


def test_paths_up_to_a_length_and_those_going_on_sum_to_one() -> None:
    found = Boundaries.learned([((0, 1, 2), 3), ((1, 2, 0), 3), ((0, 0), 3)])
    total = 0.0
    for n in range(1, 9):
        for words in product(range(3), repeat=n):
            # Uniform next words: (1/3) ** (n - 1) for each path.
            total += math.exp(found.log_prob(words, 3)) / 3 ** (n - 1)
    longer = 1.0 - total
    assert 0.0 < longer < 0.15
    assert found.log_prob((), 3) == -math.inf


def test_without_data_only_the_published_rule_is_possible() -> None:
    rule = Boundaries()
    assert rule.log_prob((0, 1, 0, 2), 3) == 0.0
    for impossible in ((1, 2), (0, 2, 2), (0, 1), (0, 2, 1)):
        assert rule.log_prob(impossible, 3) == -math.inf


def test_with_data_every_path_is_possible() -> None:
    found = Boundaries.learned([((0, 1, 2), 3)])
    for words in ((2,), (0, 2, 1, 0), (1, 1)):
        assert -math.inf < found.log_prob(words, 3) < 0.0

from __future__ import annotations

import math

import numpy as np
import pytest

from scandl.statistics.energy import energy_distance
from scandl.statistics.energy_tests import permutation_p


def words(paths):
    return [path.words for path in paths]


def test_the_permutation_test_keeps_its_level_and_finds_a_difference(readings):
    same = [
        permutation_p(readings(seed), readings(seed + 1000), permutations=99, seed=seed) for seed in range(60)
    ]
    assert np.mean(np.array(same) <= 0.1) == pytest.approx(0.1, abs=0.1)
    assert np.mean(same) == pytest.approx(0.5, abs=0.12)
    assert permutation_p(readings(1), readings(2, pace=5), permutations=199) == 1 / 200


def test_the_permutation_test_agrees_with_relabelling_by_hand(readings):
    human, model = readings(1, sentences=3, readers=4), readings(2, sentences=3, readers=3, pace=4)
    observed = np.mean([energy_distance(words(human[s]), words(model[s])) for s in human])
    rng = np.random.default_rng(0)
    null = []
    for _ in range(500):
        total = 0.0
        for s in human:
            paths = words([*human[s], *model[s]])
            mixed = [paths[i] for i in rng.permutation(7)]
            total += energy_distance(mixed[:4], mixed[4:])
        null.append(total / 3)
    by_hand = np.mean(np.array(null) >= observed - 1e-9)
    found = permutation_p(human, model, permutations=2000)
    assert found == pytest.approx(by_hand, abs=4 * math.sqrt(0.25 / 500))


def test_without_two_paths_on_each_side_there_is_no_test(readings):
    human = readings(1, sentences=2)
    assert permutation_p(human, {s: paths[:1] for s, paths in human.items()}) is None
    assert permutation_p(human, {}) is None

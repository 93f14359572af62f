"""Statistics of durations against scipy and numpy, their influence against leaving values out."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from scandl.measures.distribution.duration_statistics import (
    DURATION_STATISTICS,
    FIXATION_KINDS,
    fixation_kinds,
    log_durations,
    pooled,
)
from scandl.records import Scanpath


def samples(seed, n=300, m=200):
    rng = np.random.default_rng(seed)
    human, model = rng.normal(5.3, 0.4, n), rng.normal(5.5, 0.3, m)
    return human.round(2), model.round(2)  # with ties, as whole milliseconds have them


@pytest.mark.parametrize("seed", range(10))
def test_values_are_those_of_scipy_and_numpy(seed):
    human, model = samples(seed)
    expected = {
        "duration-wasserstein": stats.wasserstein_distance(human, model),
        "duration-mean-ratio": stats.gmean(np.exp(model)) / stats.gmean(np.exp(human)),
        "duration-sd-ratio": np.std(model) / np.std(human),
    }
    assert {name: of(human, model).value for name, of in DURATION_STATISTICS.items()} == pytest.approx(
        expected
    )


@pytest.mark.parametrize("name", DURATION_STATISTICS)
def test_equal_samples_are_at_the_ideal(name):
    human, _ = samples(1)
    assert DURATION_STATISTICS[name](human, human).value == pytest.approx(
        float(name != "duration-wasserstein")
    )


@pytest.mark.parametrize("name", DURATION_STATISTICS)
def test_influence_is_what_leaving_a_value_out_changes(name):
    statistic = DURATION_STATISTICS[name]
    human, model = samples(2, 900, 700)
    found = statistic(human, model)
    assert found.human.sum() == pytest.approx(0.0, abs=1e-9)
    assert found.model.sum() == pytest.approx(0.0, abs=1e-9)
    without_human = [found.value - statistic(np.delete(human, i), model).value for i in range(60)]
    without_model = [found.value - statistic(human, np.delete(model, i)).value for i in range(60)]
    scale = np.abs(found.human).max(), np.abs(found.model).max()
    assert np.abs(found.human[:60] - without_human).max() < 0.02 * scale[0]
    assert np.abs(found.model[:60] - without_model).max() < 0.02 * scale[1]


def test_the_first_fixation_of_a_path_is_left_out():
    paths = [Scanpath("r1", "s1", (0, 1, 2), (90.0, 200.0, 250.0)), Scanpath("r2", "s1", (0,), (90.0,))]
    assert log_durations(paths[1]) == []
    values, which = pooled([*paths, paths[0]])
    assert values.tolist() == [math.log(200), math.log(250)] * 2
    assert which.tolist() == [0, 0, 2, 2]


def test_readers_without_variation_give_no_ratio_and_a_model_without_gives_zero():
    human, model = samples(3)
    same = np.full(10, 5.0)
    assert math.isnan(DURATION_STATISTICS["duration-sd-ratio"](same, model).value)
    assert DURATION_STATISTICS["duration-sd-ratio"](human, same).value == 0.0


def test_kinds_of_fixations_share_out_a_path():
    """By the definition, written slowly: what came before on the word, and where the eyes came from."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        words = rng.integers(0, 5, rng.integers(1, 12)).tolist()
        kinds = fixation_kinds(words)
        for i, (word, kind) in enumerate(zip(words, kinds, strict=True)):
            if i and words[i - 1] == word:
                expected = "refixation"
            elif i and words[i - 1] > word:
                expected = "regression"
            elif any(other >= word for other in words[:i]):
                expected = ""
            else:
                expected = "first" if words[i + 1 : i + 2] == [word] else "single"
            assert kind == expected


def test_durations_of_one_kind_only():
    path = Scanpath("r1", "s1", (0, 2, 2, 1, 2, 3), (100.0, 200.0, 150.0, 180.0, 90.0, 210.0))
    found = {kind: np.exp(log_durations(path, kind)).round(6).tolist() for kind in FIXATION_KINDS}
    assert found == {"single": [210], "first": [200], "refixation": [150], "regression": [180]}

"""Distances of profiles: without bias, whatever the number of words, and against the definition."""

from __future__ import annotations

import numpy as np
import pytest

from scandl_analysis.effects.profiles import Scale, distance, further

TRUTH = {("sr", "x"): -15.0, ("sr", "z"): 6.0, ("tfc", "x"): 0.25, ("tfc", "z"): -0.2, ("fpr", "x"): 0.0}
ERROR = {"sr": 1.0, "tfc": 0.02, "fpr": 1.0}


def study(truth: dict[tuple[str, str], float], noise: float, rng: np.random.Generator, n: int = 1000) -> dict:
    """Return draws around estimates that are themselves that uncertain."""
    found = {}
    for cell, value in truth.items():
        sd = noise * ERROR[cell[0]]
        found[cell] = rng.normal(rng.normal(value, sd), sd, n)
    return found


@pytest.mark.parametrize(("times", "expected"), [(1.0, 0.0), (0.5, 0.25), (0.0, 1.0), (-1.0, 4.0)])
@pytest.mark.parametrize("noise", [1.0, 3.0])
def test_the_mean_distance_is_the_truth_whatever_the_noise(
    times: float, expected: float, noise: float
) -> None:
    rng = np.random.default_rng(1)
    model = {cell: times * value for cell, value in TRUTH.items()}
    values = []
    for _ in range(300):
        people = study(TRUTH, 1.0, rng)
        found = distance(people, study(model, noise, rng), Scale.of(people))
        assert found is not None
        values.append(found.value)
    error = np.std(values) / np.sqrt(300)
    assert np.mean(values) == pytest.approx(expected, abs=3 * error + 0.01)


def test_of_two_models_like_people_the_one_with_fewer_words_is_not_called_further() -> None:
    rng = np.random.default_rng(2)
    wrong = dict.fromkeys((1.0, 2.0, 3.0), 0)
    for _ in range(300):
        people = study(TRUTH, 1.0, rng)
        scale = Scale.of(people)
        like = study(TRUTH, 1.0, rng)
        for noise in wrong:  # as many words, a quarter, a ninth
            gap = further(people, study(TRUTH, noise, rng), like, scale)
            assert gap is not None
            wrong[noise] += gap.low > 0 or gap.high < 0
    assert max(wrong.values()) / 300 <= 0.05


def test_a_model_without_effects_is_told_from_one_that_has_them() -> None:
    rng = np.random.default_rng(3)
    people, like = study(TRUTH, 1.0, rng), study(TRUTH, 3.0, rng)
    nothing = {cell: np.zeros(1000) for cell in TRUTH}
    gap = further(people, nothing, like, Scale.of(people))
    assert gap is not None
    assert gap.low > 0


def test_measures_on_which_people_show_nothing_do_not_count() -> None:
    people = study(TRUTH, 1.0, np.random.default_rng(4))
    scale = Scale.of(people)
    assert (set(scale.sizes), scale.left_out) == ({"sr", "tfc"}, ("fpr",))
    assert distance(people, {("fpr", "x"): np.zeros(1000)}, scale) is None

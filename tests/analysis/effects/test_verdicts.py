"""Verdicts: against probabilities of the normal distribution, at the margin, and errors of what is typed."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from scandl.errors import ConfigError
from scandl_analysis.effects.verdicts import EQUIVALENT, UNDECIDED, Margins, Scale, distance, further, judged

N = 4000


def draws(mean: float, sd: float, rng: np.random.Generator) -> np.ndarray:
    return rng.normal(mean, sd, N)


def test_probabilities_are_those_of_the_normal_distribution() -> None:
    rng = np.random.default_rng(1)
    human, model = draws(-10, 1e-9, rng), draws(-6, 2, rng)
    found = judged(human, model, Margins(), "sr")
    assert found.p_equivalent == pytest.approx(norm.cdf(-5, -6, 2) - norm.cdf(-15, -6, 2), abs=0.02)
    assert found.p_too_weak == pytest.approx(norm.sf(-5, -6, 2), abs=0.02)
    assert found.p_wrong_sign == pytest.approx(norm.sf(0, -6, 2), abs=0.01)
    assert found.verdict == UNDECIDED
    assert found.p_wrong == 0.0


@pytest.mark.parametrize("ratio", [0.5, 1.5])
def test_at_the_margin_a_verdict_is_wrong_one_time_in_twenty(ratio: float) -> None:
    """Estimates of 600 studies whose truth is at the margin, with errors that are known."""
    rng = np.random.default_rng(2)
    verdicts = []
    for _ in range(600):
        human, model = rng.normal(1.0, 0.03), rng.normal(ratio, 0.06)
        found = judged(draws(human, 0.03, rng), draws(model, 0.06, rng), Margins(), "sr")
        verdicts.append(found.verdict)
    for wrong in (verdicts.count(EQUIVALENT), sum(v not in (EQUIVALENT, UNDECIDED) for v in verdicts)):
        assert wrong / 600 < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 600)
        assert wrong > 0


def test_an_amount_is_a_margin_of_its_own() -> None:
    rng = np.random.default_rng(3)
    human, model = draws(8, 0.5, rng), draws(2, 0.5, rng)
    assert judged(human, model, Margins.read(["FPRT=10ms"]), "FPRT").verdict == EQUIVALENT
    assert judged(human, model, Margins.read(["FPRT=10ms"]), "TFT").verdict == "too weak"


@pytest.mark.parametrize("text", ["half", "-1", "FPRT=", "sr=0pp", "nan"])
def test_what_is_no_margin_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="give a share such as 0.5, or an amount such as FPRT=5ms"):
        Margins.read([text])


def test_a_measure_that_is_not_there_is_named() -> None:
    with pytest.raises(ConfigError, match="no measure 'FRPT' to regress; did you mean"):
        Margins.read(["FRPT=5"])


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

"""Recovery of known parameters, and what a fit refuses."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scandl.corpora import read_corpus
from scandl.corpora.demo import FOLDER
from scandl.errors import ScandlError
from scandl.frequency import log_frequency_share
from scandl.simplified_swift import Parameters, simulate
from scandl.simplified_swift_likelihood import exposure, log_likelihoods
from scandl_eval.baselines.simplified_swift_fit import FREE, fit_parameters

TRUTHS = (
    Parameters(),
    Parameters(nu=0.65, r=5.5, mu=265.0, iota=0.5, eta=-2.3, beta=0.7),
    Parameters(nu=0.4, r=5.5, mu=240.0, iota=0.1, eta=-1.4, beta=0.75),
)


@pytest.fixture(scope="module")
def sentences() -> list[list[float]]:
    frequencies = read_corpus(FOLDER).word_numbers("frequency_per_million")
    return [log_frequency_share(values) for values in frequencies.values()]


def simulated(sentences, truth: Parameters, times: int, seed: int):
    rng = np.random.default_rng(seed)
    return [(*simulate(share, truth, rng), share) for _ in range(times) for share in sentences]


def covered(fit, truth: Parameters) -> np.ndarray:
    return np.array([low <= getattr(truth, name) <= high for name, (low, high) in fit.intervals.items()])


@pytest.mark.parametrize("truth", TRUTHS)
def test_recovers_what_was_simulated(sentences, truth: Parameters) -> None:
    readings = simulated(sentences, truth, times=3, seed=1)
    fit = fit_parameters(readings, seed=1)
    assert covered(fit, truth).sum() >= 4  # mu and iota go together; the slow test below counts exactly
    for name, tolerance in zip(FREE, (0.05, 0.5, 12.0, 0.2, 0.3, 0.06), strict=True):
        assert getattr(fit.parameters, name) == pytest.approx(getattr(truth, name), abs=tolerance), name
    at_truth = log_likelihoods(exposure(readings), truth).sum()
    # Twice the difference is about chi-squared with six degrees of freedom: 0.05 to 22 but for 1 in 1000.
    assert -0.5 < fit.log_likelihood - at_truth < 12
    assert fit.n_readings == 3 * len(sentences)


@pytest.mark.slow
@pytest.mark.parametrize("truth", TRUTHS)
def test_intervals_hold_the_truth_as_often_as_they_say(sentences, truth: Parameters) -> None:
    hits = sum(
        covered(fit_parameters(simulated(sentences, truth, 4, seed), seed=seed), truth).astype(int)
        for seed in range(100)
    )
    assert dict(zip(FREE, (hits >= 90).tolist(), strict=True)) == dict.fromkeys(FREE, True), hits


def test_parameters_that_are_not_free_keep_their_values(sentences) -> None:
    start = replace(TRUTHS[1], r=6.0, mu=200.0)
    fit = fit_parameters(simulated(sentences, TRUTHS[1], 1, 2), free=("r", "mu"), start=start, seed=1)
    assert fit.parameters == replace(TRUTHS[1], r=fit.parameters.r, mu=fit.parameters.mu)
    assert fit.parameters.r != 6.0
    assert set(fit.intervals) == {"r", "mu"}


def test_a_handful_of_paths_gives_finite_parameters_within_their_intervals() -> None:
    fit = fit_parameters([([0, 1], [210.0, 190.0], [0.5, 0.2]), ([0], [150.0], [0.3])], seed=1)
    for name, (low, high) in fit.intervals.items():
        assert low <= getattr(fit.parameters, name) <= high


def test_one_line_for_what_cannot_be_fitted() -> None:
    with pytest.raises(ScandlError, match="nothing to fit"):
        fit_parameters([], seed=1)
    with pytest.raises(ScandlError, match="no parameter 'betta' to fit; did you mean 'beta'"):
        fit_parameters([([0], [200.0], [0.1])], free=("betta",), seed=1)

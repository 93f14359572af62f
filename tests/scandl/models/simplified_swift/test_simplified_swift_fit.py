"""Recovery of known parameters, moments of known densities, and what a fit refuses."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scandl.corpora import read_corpus
from scandl.corpora.demo import FOLDER
from scandl.errors import ScandlError
from scandl.models.simplified_swift.path_likelihood import exposure, log_likelihoods
from scandl.models.simplified_swift.simplified_swift_fit import (
    FREE,
    estimate,
    maximum_likelihood,
    mean_and_covariance,
)
from scandl.models.simplified_swift.simulation import Parameters, simulate
from scandl.text.word_facts import log_frequency_share

BOX = np.full(3, -20.0), np.full(3, 20.0)
TRUE_MEAN = np.array([1.0, -2.0, 0.5])
TRUE_COVARIANCE = np.array([[1.0, 0.7, 0.0], [0.7, 1.0, -0.2], [0.0, -0.2, 0.09]])
TRUTHS = (
    Parameters(),
    Parameters(nu=0.65, r=5.5, mu=265.0, iota=0.5, eta=-2.3, beta=0.7),
    Parameters(nu=0.4, r=5.5, mu=240.0, iota=0.1, eta=-1.4, beta=0.75),
)
LOWEST = Parameters(nu=0.2, r=4.0, mu=180.0, iota=0.0, eta=-3.0, beta=0.4)
HIGHEST = Parameters(nu=0.8, r=10.0, mu=300.0, iota=1.0, eta=-1.3, beta=0.9)


def gaussian(x: np.ndarray) -> float:
    away = x - TRUE_MEAN
    return float(-0.5 * away @ np.linalg.solve(TRUE_COVARIANCE, away))


@pytest.mark.parametrize("ripple", [0.0, 0.5])
def test_finds_a_gaussian_from_a_poor_guess_also_under_ripples(ripple: float) -> None:
    mean, covariance = mean_and_covariance(
        lambda x: gaussian(x) + ripple * np.sin(40.0 * x.sum()),
        (np.array([2.0, -1.0, 0.3]), 0.5 * np.eye(3)),
        BOX,
        np.random.default_rng(1),
    )
    error = np.sqrt(np.diag(TRUE_COVARIANCE))
    assert np.abs(mean - TRUE_MEAN).max() < 0.2 * error.max()
    assert np.sqrt(np.diag(covariance)) == pytest.approx(error, rel=0.2)
    assert covariance[0, 1] == pytest.approx(0.7, abs=0.2)


def test_a_flat_density_has_the_moments_of_its_box() -> None:
    box = np.array([0.0, -3.0]), np.array([1.0, 3.0])
    mean, covariance = mean_and_covariance(
        lambda x: 0.0, (np.array([0.5, 0.0]), np.diag([1 / 12, 3.0])), box, np.random.default_rng(2)
    )
    assert mean == pytest.approx([0.5, 0.0], abs=0.25)
    assert np.diag(covariance) == pytest.approx([1 / 12, 3.0], rel=0.2)


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
    fit = estimate(readings, seed=1)
    assert covered(fit, truth).sum() >= 4  # mu and iota go together; the slow test below counts exactly
    for name, tolerance in zip(FREE, (0.05, 0.5, 12.0, 0.2, 0.3, 0.06), strict=True):
        assert getattr(fit.parameters, name) == pytest.approx(getattr(truth, name), abs=tolerance), name
    at_truth = log_likelihoods(exposure(readings), truth).sum()
    # Twice the difference is about chi-squared with six degrees of freedom: 0.05 to 22 but for 1 in 1000.
    assert -0.5 < fit.log_likelihood - at_truth < 12
    search = maximum_likelihood(readings)
    assert abs(log_likelihoods(exposure(readings), search).sum() - fit.log_likelihood) < 5
    assert fit.n_readings == 3 * len(sentences)


@pytest.mark.slow
def test_intervals_hold_the_truth_as_often_as_they_say(sentences) -> None:
    """A hundred data sets of 240 paths, each with parameters of its own.

    An interval that holds the truth in 95 of 100 does so in fewer than 88 with a probability below .003.
    """
    hits = np.zeros(len(FREE), dtype=int)
    for seed in range(100):
        rng = np.random.default_rng(seed)
        drawn = {name: float(rng.uniform(getattr(LOWEST, name), getattr(HIGHEST, name))) for name in FREE}
        truth = Parameters(**drawn)
        readings = [(*simulate(share, truth, rng), share) for _ in range(3) for share in sentences]
        hits += covered(estimate(readings, seed=seed), truth)
    assert (hits >= 88).all(), dict(zip(FREE, hits.tolist(), strict=True))


def test_parameters_that_are_not_free_keep_their_values(sentences) -> None:
    start = replace(TRUTHS[1], r=6.0, mu=200.0)
    found = maximum_likelihood(simulated(sentences, TRUTHS[1], 1, 2), free=("r", "mu"), start=start)
    assert found == replace(TRUTHS[1], r=found.r, mu=found.mu)
    assert (found.r, found.mu) == (pytest.approx(5.5, abs=0.5), pytest.approx(265.0, abs=20.0))


def test_a_handful_of_paths_gives_finite_parameters_within_their_intervals() -> None:
    fit = estimate([([0, 1], [210.0, 190.0], [0.5, 0.2]), ([0], [150.0], [0.3])], seed=1)
    for name, (low, high) in fit.intervals.items():
        assert low <= getattr(fit.parameters, name) <= high


def test_one_line_for_what_cannot_be_fitted() -> None:
    with pytest.raises(ScandlError, match="nothing to fit"):
        maximum_likelihood([])
    with pytest.raises(ScandlError, match="no parameter 'betta' to fit; did you mean 'beta'"):
        estimate([([0], [200.0], [0.1])], free=("betta",), seed=1)

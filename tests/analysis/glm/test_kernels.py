from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from scandl_analysis.glm.kernels import (
    bernoulli_pass,
    exp_into,
    group_prior,
    poisson_pass,
    softplus_sum,
    sum_by,
)


@settings(deadline=None)  # the first call compiles
@given(st.lists(st.floats(-700, 700), min_size=1, max_size=1500))
def test_exp_is_the_library_exp_to_the_last_bits(values: list[float]) -> None:
    x = np.array(values)
    out = np.empty_like(x)
    exp_into(x, out)
    np.testing.assert_allclose(out, np.exp(x), rtol=1e-15)


def test_exp_clips_instead_of_overflowing() -> None:
    out = np.empty(2)
    exp_into(np.array([1e6, -1e6]), out)
    np.testing.assert_allclose(out, np.exp([700.0, -700.0]), rtol=1e-15)


@pytest.mark.parametrize("seed", range(5))
def test_softplus_sum_agrees_with_its_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    eta = rng.normal(0, 10, 300)
    e = np.exp(-np.abs(eta))
    total = softplus_sum(eta, e, 2.5)
    assert total == pytest.approx(2.5 * np.logaddexp(0, eta).sum(), rel=1e-13)
    np.testing.assert_allclose(e, 2.5 / (1 + np.exp(-eta)), rtol=1e-13)


def test_sum_by_is_bincount() -> None:
    rng = np.random.default_rng(1)
    index, values = rng.integers(0, 7, 100), rng.normal(size=100)
    out = np.ones(7)
    sum_by(index, values, out)
    np.testing.assert_allclose(out, np.bincount(index, values, 7))


def test_group_prior_is_the_normal_density_with_its_slopes() -> None:
    group = np.array([0, 1, 1, 0])  # of the last four of six effects

    def slow(log_sd: np.ndarray, effects: np.ndarray) -> float:
        return float(stats.norm.logpdf(effects[2:], 0, np.exp(log_sd[group])).sum())

    rng = np.random.default_rng(1)
    log_sd, effects = rng.normal(size=2), rng.normal(size=6)
    by_log_sd, by_effects = np.ones(2), np.ones(6)
    value = group_prior(log_sd, effects, group, by_log_sd, by_effects)
    assert value == pytest.approx(slow(log_sd, effects) + 2 * np.log(2 * np.pi))
    for k, e in enumerate(np.eye(8) * 1e-6):
        slope = (slow(log_sd + e[:2], effects + e[2:]) - slow(log_sd - e[:2], effects - e[2:])) / 2e-6
        assert np.concatenate([by_log_sd, by_effects])[k] - 1 == pytest.approx(slope, abs=1e-6)


def test_poisson_pass_fills_more_than_one_block_of_rows() -> None:
    rng = np.random.default_rng(2)
    n = 1300
    x, groups, block = rng.normal(size=(2, n)), rng.integers(0, 3, (1, n)), rng.integers(0, 4, n)
    effects, exposure = rng.normal(0, 0.5, 6), rng.uniform(1, 5, 4)
    by_block, gradient = np.empty(4), np.zeros(6)
    total = poisson_pass(effects, x, groups, np.array([3]), block, exposure, by_block, gradient)
    rate = np.exp(effects[0] + effects[1:3] @ x + effects[3 + groups[0]])
    weighted = rate * exposure[block]
    assert total == pytest.approx(weighted.sum())
    np.testing.assert_allclose(by_block, np.bincount(block, rate))
    expected = [weighted.sum(), *(x @ weighted), *np.bincount(groups[0], weighted)]
    np.testing.assert_allclose(-gradient, expected)


def test_bernoulli_pass_meets_each_run_with_its_effect_and_weight() -> None:
    """A run longer than a block, an empty one, one of a single row, one without an effect of its own."""
    rng = np.random.default_rng(3)
    bounds = np.array([0, 1300, 1300, 1301, 1400])
    n = bounds[-1]
    own, weights = np.array([3, 4, 4, -1]), np.array([1.0, 2.0, 3.0, 1.5])
    x, sentences = rng.normal(size=(2, n)), rng.integers(0, 6, (1, n))
    effects, gradient = rng.normal(size=11), np.zeros(11)
    total = bernoulli_pass(effects, x, sentences, np.array([5]), bounds, own, weights, gradient)
    run = np.repeat(np.arange(4), np.diff(bounds))
    design = np.column_stack(
        [np.ones(n), *x, *(own[run] == k for k in (3, 4)), *(sentences[0] == k for k in range(6))]
    )
    eta = design @ effects
    assert total == pytest.approx(weights[run] @ np.logaddexp(0, eta))
    np.testing.assert_allclose(-gradient, design.T @ (weights[run] / (1 + np.exp(-eta))))

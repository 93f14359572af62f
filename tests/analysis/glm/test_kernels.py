from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from scandl_analysis.glm.kernels import (
    border_pass,
    conway_maxwell,
    exp_into,
    group_prior,
    moments_pass,
    poisson_pass,
    rim_pass,
    run_pass,
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


@pytest.mark.parametrize("is_bernoulli", [True, False])
def test_run_pass_meets_each_run_with_its_effects_and_weight(is_bernoulli: bool) -> None:
    """A run longer than a block, an empty one, one of a single row; slopes of runs and of groups."""
    rng = np.random.default_rng(3)
    bounds = np.array([0, 1300, 1300, 1301, 1400])
    n, run = bounds[-1], np.repeat(np.arange(4), np.diff(bounds))
    weights = np.array([1.0, 2.0, 3.0, 1.5])
    x, sentences = rng.normal(size=(3, n)), rng.integers(0, 6, (2, n))  # the third column is of groups only
    own, own_columns, own_shifts = np.array([[3, 7], [4, 8], [5, 9], [6, 10]]), np.array([-1, 2]), [0.0, 0.5]
    columns, shifts, places = np.array([-1, 0]), np.array([0.0, -1.5]), np.array([11, 17])
    effects, gradient = rng.normal(0, 0.4, 23), np.zeros(23)
    total = run_pass(
        is_bernoulli,
        effects,
        2,
        x,
        sentences,
        columns,
        shifts,
        places,
        bounds,
        own,
        own_columns,
        np.array(own_shifts),
        weights,
        gradient,
    )
    design = np.zeros((n, 23))
    rows = np.arange(n)
    design[:, 0], design[:, 1], design[:, 2] = 1, x[0], x[1]
    design[rows, own[run, 0]], design[rows, own[run, 1]] = 1, x[2] + 0.5
    design[rows, 11 + sentences[0]], design[rows, 17 + sentences[1]] = 1, x[0] - 1.5
    eta = design @ effects
    partition, slope = (np.logaddexp(0, eta), 1 / (1 + np.exp(-eta))) if is_bernoulli else (np.exp(eta),) * 2
    assert total == pytest.approx(weights[run] @ partition)
    np.testing.assert_allclose(-gradient, design.T @ (weights[run] * slope))


def test_products_go_where_they_belong() -> None:
    """Rows in runs, with two effects in the border and two leaves each."""
    rng = np.random.default_rng(4)
    n = 50
    level, children = np.sort(rng.integers(0, 2, n)), rng.integers(0, 4, n)
    effects = np.stack([np.zeros(n, np.int64), 1 + level], axis=1)
    leaves = np.stack([children // 2, 2 + children], axis=1)
    values, leaf_values, weights = rng.normal(size=(n, 2)), rng.normal(size=(n, 2)), rng.uniform(size=n)
    slots = effects[:, None] * 6 + leaves[:, :, None]
    border, rim, on_leaves = np.zeros((3, 3)), np.zeros(18), np.zeros(6)
    border_pass(weights, effects, values, border)
    rim_pass(weights, values, leaves, leaf_values, slots, rim, on_leaves)
    moments = np.empty((2, 2, 2))
    moments_pass(weights, np.searchsorted(level, [0, 1, 2]), values, moments)
    design = np.zeros((n, 9))
    rows = np.arange(n)
    for which, value in zip((*effects.T, *(3 + leaves.T)), (*values.T, *leaf_values.T), strict=True):
        design[rows, which] = value
    expected = (design.T * weights) @ design
    np.testing.assert_allclose(np.tril(border), np.tril(expected[:3, :3]), atol=1e-12)
    np.testing.assert_allclose(rim.reshape(3, 6), expected[:3, 3:], atol=1e-12)
    np.testing.assert_allclose(on_leaves, np.diag(expected)[3:])
    for run, place in enumerate((1, 2)):
        assert moments[run, 1, 0] == pytest.approx(expected[place, 0])
        assert moments[run, 1, 1] == pytest.approx(expected[place, place])
    assert moments[:, 0, 0].sum() == pytest.approx(expected[0, 0])


@pytest.mark.parametrize("nu", [0.7, 1.0, 3.0, 12.0])
def test_many_conway_maxwell_counts_are_what_each_is_alone(nu: float) -> None:
    eta = np.random.default_rng(1).normal(0, 0.7, 3000)
    alone = np.column_stack([conway_maxwell(each[None], nu) for each in eta])
    for many, one, exact in zip(conway_maxwell(eta, nu), alone, (1e-8, 1e-7, 1e-6, 1e-4, 1e-4), strict=True):
        np.testing.assert_allclose(many, one, atol=exact)

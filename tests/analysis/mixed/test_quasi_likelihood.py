"""Shares and counts: what the working response must give where the answer is known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit

from scandl_analysis.mixed.crossed_rows import CrossedRows, GroupTerms
from scandl_analysis.mixed.quasi_likelihood import fit_mixed


def outcomes(kind: str, seed: int, *, reader: float, item: float, n: int = 40) -> CrossedRows:
    rng = np.random.default_rng(seed)
    r, i = (axis.ravel() for axis in np.meshgrid(np.arange(n), np.arange(n), indexing="ij"))
    c = (r + i) % 2 - 0.5
    eta = -0.4 + 0.5 * c + reader * rng.normal(size=n)[r] + item * rng.normal(size=n)[i]
    y = rng.random(len(r)) < expit(eta) if kind == "bernoulli" else rng.poisson(np.exp(eta))
    x = np.column_stack([np.ones(len(r)), c])
    return CrossedRows(y.astype(float), x, (GroupTerms("reader", r, (0,)), GroupTerms("item", i, (0,))))


def test_without_variances_shares_are_the_observed_ones():
    """With nothing between readers and items the estimate is the log odds ratio of the table."""
    rng = np.random.default_rng(1)
    rows = outcomes("bernoulli", 3, reader=0, item=0)
    shuffled = CrossedRows(rows.y, rows.x, (GroupTerms("reader", rng.permutation(len(rows.y)) % 40, (0,)),))
    found = fit_mixed(shuffled, "bernoulli")
    a, b = (rows.y[rows.x[:, 1] == side].mean() for side in (0.5, -0.5))
    expected = np.log(a / (1 - a)) - np.log(b / (1 - b))
    assert found.effects[1] == pytest.approx(expected, abs=0.02)


@pytest.mark.parametrize("kind", ["bernoulli", "poisson"])
def test_effects_and_variances_are_recovered(kind):
    fits = [fit_mixed(outcomes(kind, seed, reader=0.5, item=0.3), kind) for seed in range(8)]
    assert all(found.converged for found in fits)
    effects = np.array([found.effects[1] for found in fits])
    errors = np.array([found.errors[1] for found in fits])
    assert abs(effects.mean() - 0.5) < 3 * errors.mean() / np.sqrt(len(fits))
    deviations = np.sqrt(np.mean([found.variances for found in fits], axis=0))
    np.testing.assert_allclose(deviations, [0.5, 0.3], atol=0.1)


def test_counts_that_vary_less_than_poisson_ones_have_smaller_errors():
    rows = outcomes("poisson", 1, reader=0.2, item=0.2)
    steady = CrossedRows(np.round(np.exp(-0.4 + 0.5 * rows.x[:, 1])) + 1, rows.x, rows.groups)
    rng = np.random.default_rng(1)
    steady = CrossedRows(steady.y + (rng.random(len(steady.y)) < 0.2), steady.x, steady.groups)
    assert fit_mixed(steady, "poisson").residual < 0.5
    assert fit_mixed(rows, "poisson").residual == pytest.approx(1.0, abs=0.15)


def test_a_share_of_none_is_not_called_an_effect():
    """Nobody skips in one condition: the effect is unbounded, and must not come out as certain."""
    rows = outcomes("bernoulli", 2, reader=0.3, item=0.3, n=12)
    y = np.where(rows.x[:, 1] > 0, 0.0, rows.y)
    found = fit_mixed(CrossedRows(y, rows.x, rows.groups), "bernoulli")
    assert not found.converged or found.errors[1] > 1

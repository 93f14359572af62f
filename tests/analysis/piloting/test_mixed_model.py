"""Restricted maximum likelihood against its definition with whole matrices."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit

from scandl.errors import ScandlError
from scandl_analysis.piloting.mixed_model import (
    CrossedRows,
    GroupTerms,
    cross_products,
    fit_mixed,
    fit_reml,
)


def experiment(
    seed: int = 1, *, readers: int = 12, items: int = 10, slope: float = 0.2, missing: float = 0.15
) -> CrossedRows:
    """Simulate an experiment by Latin square with intercepts and slopes of readers and items."""
    rng = np.random.default_rng(seed)
    r, i = (axis.ravel() for axis in np.meshgrid(np.arange(readers), np.arange(items), indexing="ij"))
    c = (r + i) % 2 - 0.5
    u, v = rng.normal(size=(2, readers)), rng.normal(size=(2, items))
    y = 5.5 + 0.1 * c + 0.2 * u[0][r] + slope * u[1][r] * c + 0.15 * v[0][i] + slope * v[1][i] * c
    y = y + 0.4 * rng.normal(size=len(y))
    keep = rng.random(len(y)) >= missing
    keep[: 2 * items] = True
    x = np.column_stack([np.ones(len(y)), c])[keep]
    groups = (GroupTerms(r[keep], (0, 1)), GroupTerms(i[keep], (0, 1)))
    return CrossedRows(y[keep], x, groups)


def variance_parts(rows: CrossedRows) -> list[np.ndarray]:
    """Return the matrix each variance multiplies, that of the residual last."""
    parts = []
    for group in rows.groups:
        for k in group.columns:
            z = np.eye(group.n_levels)[group.levels] * rows.x[:, [k]]
            parts.append(z @ z.T)
    return [*parts, np.eye(len(rows.y))]


def by_definition(rows: CrossedRows, theta: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """Return the restricted log-likelihood, the effects and their covariance, from whole matrices."""
    v = sum(t * part for t, part in zip(theta, variance_parts(rows), strict=True))
    inverse = np.linalg.inv(v)
    covariance = np.linalg.inv(rows.x.T @ inverse @ rows.x)
    beta = covariance @ rows.x.T @ inverse @ rows.y
    rest = rows.y - rows.x @ beta
    value = -0.5 * (np.linalg.slogdet(v)[1] - np.linalg.slogdet(covariance)[1] + rest @ inverse @ rest)
    return float(value), beta, covariance


@pytest.mark.parametrize("seed", range(4))
def test_estimates_are_those_of_the_definition(seed):
    rows = experiment(seed)
    found = fit_reml(cross_products(rows, rows.cells(), rows.y))
    theta = np.append(found.variances, found.residual)
    value, beta, covariance = by_definition(rows, theta)
    assert found.converged
    assert found.log_likelihood == pytest.approx(value, abs=1e-6)
    np.testing.assert_allclose(found.effects, beta, atol=1e-8)
    np.testing.assert_allclose(found.covariance, covariance, rtol=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_no_neighbouring_variances_are_more_likely(seed):
    rows = experiment(seed, slope=0.05 * seed)  # without slopes some variances are estimated as 0
    found = fit_reml(cross_products(rows, rows.cells(), rows.y))
    theta = np.append(found.variances, found.residual)
    best = by_definition(rows, theta)[0]
    for k in range(len(theta)):
        for step in (-0.02, 0.02, 0.1):
            other = theta.copy()
            other[k] = other[k] * (1 + step) if other[k] > 0 else max(step, 0.0) * found.residual
            assert by_definition(rows, other)[0] <= best + 1e-5


def test_degrees_of_freedom_are_satterthwaites():
    """Take the derivatives by finite differences, and the information from the curvature."""
    rows = experiment(3, readers=16, items=14, slope=0.3)
    found = fit_reml(cross_products(rows, rows.cells(), rows.y))
    theta = np.append(found.variances, found.residual)
    assert (found.variances > 0).all()
    k = len(theta)
    steps = np.diag(1e-3 * theta)
    variance = lambda t: np.diag(by_definition(rows, t)[2])  # noqa: E731
    slopes = np.array([(variance(theta + h) - variance(theta - h)) / (2 * h.sum()) for h in steps])
    value = lambda t: by_definition(rows, t)[0]  # noqa: E731
    curvature = np.array(
        [
            [
                (value(theta + a + b) - value(theta + a - b) - value(theta - a + b) + value(theta - a - b))
                / (4 * a.sum() * b.sum())
                for b in steps
            ]
            for a in steps
        ]
    )
    spread = np.linalg.inv(-curvature)
    expected = 2 * variance(theta) ** 2 / np.einsum("kj,kl,lj->j", slopes, spread, slopes)
    assert k == 5
    # Average information is not the observed one: both estimate the same, a few per cent apart.
    np.testing.assert_allclose(found.freedom, expected, rtol=0.15)


def test_a_known_residual_variance_stays():
    rows = experiment(1)
    found = fit_reml(cross_products(rows, rows.cells(), rows.y), residual=0.16)
    assert found.residual == 0.16
    theta = np.append(found.variances, found.residual)
    assert found.log_likelihood == pytest.approx(by_definition(rows, theta)[0], abs=1e-6)


def test_columns_that_say_the_same_are_an_error():
    rows = experiment(1)
    twice = CrossedRows(rows.y, rows.x[:, [0, 1, 1]], rows.groups)
    with pytest.raises(np.linalg.LinAlgError, match="say the same"):
        fit_reml(cross_products(twice, twice.cells(), twice.y))


def outcomes(kind: str, seed: int, *, reader: float, item: float, n: int = 40) -> CrossedRows:
    rng = np.random.default_rng(seed)
    r, i = (axis.ravel() for axis in np.meshgrid(np.arange(n), np.arange(n), indexing="ij"))
    c = (r + i) % 2 - 0.5
    eta = -0.4 + 0.5 * c + reader * rng.normal(size=n)[r] + item * rng.normal(size=n)[i]
    y = rng.random(len(r)) < expit(eta) if kind == "bernoulli" else rng.poisson(np.exp(eta))
    x = np.column_stack([np.ones(len(r)), c])
    return CrossedRows(y.astype(float), x, (GroupTerms(r, (0,)), GroupTerms(i, (0,))))


def test_without_variances_shares_are_the_observed_ones():
    """With nothing between readers and items the estimate is the log odds ratio of the table."""
    rng = np.random.default_rng(1)
    rows = outcomes("bernoulli", 3, reader=0, item=0)
    shuffled = CrossedRows(rows.y, rows.x, (GroupTerms(rng.permutation(len(rows.y)) % 40, (0,)),))
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


def some_rows(seed: int = 1) -> CrossedRows:
    rng = np.random.default_rng(seed)
    n = 60
    x = np.column_stack([np.ones(n), rng.choice([-0.5, 0.5], n)])
    readers = GroupTerms(np.r_[np.arange(6), rng.integers(0, 6, n - 6)], (0, 1))
    items = GroupTerms(np.r_[np.arange(5), rng.integers(0, 5, n - 5)], (0,))
    return CrossedRows(rng.normal(size=n), x, (readers, items))


def dense(rows: CrossedRows) -> np.ndarray:
    """Write the columns of (X, Z) out."""
    columns = [rows.x]
    for group in rows.groups:
        indicator = np.eye(group.n_levels)[group.levels]
        columns += [indicator * rows.x[:, [k]] for k in group.columns]
    return np.concatenate(columns, axis=1)


@pytest.mark.parametrize("weighted", [False, True])
def test_sums_are_matrix_products(weighted):
    rows = some_rows()
    weights = np.random.default_rng(2).uniform(0.1, 2.0, len(rows.y)) if weighted else None
    found = cross_products(rows, rows.cells(), rows.y, weights)
    m, w = dense(rows), np.diag(weights if weights is not None else np.ones(len(rows.y)))
    np.testing.assert_allclose(found.mm, m.T @ w @ m, atol=1e-12)
    np.testing.assert_allclose(found.my, m.T @ w @ rows.y, atol=1e-12)
    assert found.yy == pytest.approx(rows.y @ w @ rows.y)
    assert (found.n_rows, found.n_effects, found.sizes) == (60, 2, (6, 6, 5))


def test_a_model_of_too_many_effects_is_refused():
    many = GroupTerms(np.arange(20_000), (0,))
    rows = CrossedRows(np.zeros(20_000), np.ones((20_000, 1)), (many,))
    with pytest.raises(ScandlError, match="20,001 effects is too large"):
        cross_products(rows, rows.cells(), rows.y)

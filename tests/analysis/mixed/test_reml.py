"""Restricted maximum likelihood against its definition with whole matrices."""

from __future__ import annotations

import numpy as np
import pytest

from scandl_analysis.mixed.crossed_rows import CrossedRows, GroupTerms, cross_products
from scandl_analysis.mixed.reml import fit_reml


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
    groups = (GroupTerms("reader", r[keep], (0, 1)), GroupTerms("item", i[keep], (0, 1)))
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

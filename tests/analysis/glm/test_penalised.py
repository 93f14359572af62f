"""Penalised fits against dense matrices, closed forms and the likelihoods of scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize, stats

from scandl_analysis.glm.penalised import (
    SplineColumns,
    columns_of,
    fit_counts,
    fit_times,
    line_and_bends,
    sums,
)
from scandl_analysis.glm.spec import Family


def one_reader(n: int) -> np.ndarray:
    return np.zeros(n, np.int64)


def test_times_without_readers_are_least_squares() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(200, 2))
    y = 5 + x @ [0.3, -0.2] + rng.normal(0, 0.4, 200)
    columns = columns_of(x.T, (), one_reader(200), 1, spline=False)
    found = fit_times(sums(columns, y), columns)
    expected, rest, *_ = np.linalg.lstsq(columns.common, y, rcond=None)
    np.testing.assert_allclose(found.coefficients, expected, rtol=1e-6, atol=1e-7)
    assert found.scale == pytest.approx(rest[0] / (200 - 3), rel=1e-6)


def test_sums_are_those_of_the_whole_matrix() -> None:
    rng = np.random.default_rng(2)
    reader = rng.integers(0, 4, 60)
    columns = SplineColumns(np.column_stack([np.ones(60), rng.normal(size=60)]), reader, 4)
    whole = np.column_stack([columns.common, np.eye(4)[reader]])
    y, weight = rng.normal(size=60), rng.uniform(0.5, 2, 60)
    found = sums(columns, y, weight)
    np.testing.assert_allclose(found.products, whole.T @ (whole * weight[:, None]))
    np.testing.assert_allclose(found.with_outcome, whole.T @ (weight * y))
    part = np.arange(20)
    rest = sums(columns, y) - sums(columns.rows(part), y[part])
    np.testing.assert_allclose(rest.products, whole[20:].T @ whole[20:], atol=1e-12)


def test_readers_are_shrunk_as_the_analysis_of_variance_says() -> None:
    """Of balanced readings the restricted likelihood has a closed form: (between − within) / n."""
    rng = np.random.default_rng(3)
    reader = np.repeat(np.arange(30), 20)
    y = rng.normal(0, 0.5, 30)[reader] + rng.normal(0, 1, 600)
    columns = columns_of((), (), reader, 30, spline=False)
    found = fit_times(sums(columns, y), columns)
    means = y.reshape(30, 20).mean(1)
    within = ((y.reshape(30, 20) - means[:, None]) ** 2).sum() / (30 * 19)
    between = 20 * means.var(ddof=1)
    assert found.ridges[0] == pytest.approx(within / ((between - within) / 20), rel=0.02)
    assert found.scale == pytest.approx(within, rel=0.01)


@pytest.mark.parametrize("family", ["bernoulli", "poisson"])
def test_counts_maximise_the_likelihood(family: Family) -> None:
    rng = np.random.default_rng(4)
    x = rng.normal(size=400)
    eta = 0.2 + 0.5 * x
    y = rng.binomial(1, 1 / (1 + np.exp(-eta))) if family == "bernoulli" else rng.poisson(np.exp(eta))
    columns = columns_of((x,), (), one_reader(400), 1, spline=False)
    found = fit_counts(family, columns, y.astype(float))

    def minus(b: np.ndarray) -> float:
        eta = columns.common @ b
        if family == "bernoulli":
            return -float(stats.bernoulli.logpmf(y, 1 / (1 + np.exp(-eta))).sum())
        return -float(stats.poisson.logpmf(y, np.exp(eta)).sum())

    best = optimize.minimize(minus, np.zeros(2), method="BFGS")
    np.testing.assert_allclose(found.coefficients, best.x, atol=2e-3)
    assert found.log_likelihood(columns, y.astype(float)).sum() == pytest.approx(-best.fun, abs=1e-3)


def test_density_of_times_is_the_normal_one() -> None:
    rng = np.random.default_rng(5)
    y = rng.normal(5, 0.4, 100)
    columns = columns_of((), (), one_reader(100), 1, spline=False)
    found = fit_times(sums(columns, y), columns)
    expected = stats.norm.logpdf(y, y.mean(), y.std(ddof=1))
    np.testing.assert_allclose(found.log_likelihood(columns, y), expected, rtol=1e-6, atol=1e-7)


def test_bends_leave_constant_and_line_alone() -> None:
    x = np.random.default_rng(6).gamma(2, 2, 300)
    line, bends = line_and_bends(x)
    np.testing.assert_allclose(bends.sum(axis=0), 0, atol=1e-8)
    np.testing.assert_allclose(line @ bends, 0, atol=1e-8)
    assert bends.shape == (300, 9)


def test_a_spline_bends_only_where_the_words_do() -> None:
    rng = np.random.default_rng(7)
    x = rng.uniform(-2, 2, 800)
    columns = columns_of((x,), (), one_reader(800), 1, spline=True)
    wave, straight = np.sin(2 * x) + rng.normal(0, 0.2, 800), 0.5 * x + rng.normal(0, 0.2, 800)
    followed, line = (fit_times(sums(columns, y), columns) for y in (wave, straight))
    assert followed.scale == pytest.approx(0.04, rel=0.15)
    bend = columns.common[:, 2:] @ line.coefficients[2:]
    assert bend.std() < 0.02


def test_a_predictor_that_says_nothing_is_shrunk_away() -> None:
    """Twenty readings of a word are not twenty words: without the design effect noise would pass."""
    kept = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        word = np.tile(np.arange(60), 20)
        x, y = rng.normal(size=60)[word], (rng.normal(0, 0.5, 60)[word] + rng.normal(0, 0.5, 1200))
        columns = columns_of((), (x,), one_reader(1200), 1, spline=False)
        base = fit_times(sums(columns, y), columns)
        effect = base.design_effect(columns, y, word)
        kept.append([abs(fit_times(sums(columns, y), columns, d).coefficients[1]) for d in (1.0, effect)])
        assert 5 < effect < 18  # 1 + 19 · share of words in the variance, which is one half
    naive, fair = np.mean(kept, axis=0)
    assert fair < 0.8 * naive


def test_a_predictor_that_repeats_another_does_no_harm() -> None:
    rng = np.random.default_rng(8)
    x = rng.normal(size=300)
    y = x + rng.normal(0, 0.3, 300)
    twice = columns_of((x,), (3 - 2 * x,), one_reader(300), 1, spline=False)
    once = columns_of((x,), (), one_reader(300), 1, spline=False)
    a, b = (fit_times(sums(c, y), c).log_likelihood(c, y) for c in (twice, once))
    np.testing.assert_allclose(a, b, atol=0.02)

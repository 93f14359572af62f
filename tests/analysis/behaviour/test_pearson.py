"""Correlations against scipy, their intervals on data of known truth, and what is said instead."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from scandl_analysis.behaviour.pearson import Points, correlate, pearson, stars


def points(x, y, unit="readers", names=("NLD", "skipping_rate")):
    x, y = np.asarray(x, float), np.asarray(y, float)
    return Points(unit, names, x, y[:, None], (list(map(str, range(len(x)))),))


def one(x, y, resamples=500, **named):
    return correlate(points(x, y, **named), np.random.default_rng(1), resamples)[0]


@pytest.mark.parametrize("n", [3, 4, 10, 500])
def test_r_and_p_are_those_of_scipy(n: int) -> None:
    rng = np.random.default_rng(n)
    x, y = rng.normal(size=(2, n))
    y = y + 0.3 * x
    r, p = pearson(x, y)
    known = stats.pearsonr(x, y)
    assert (r, p) == (pytest.approx(known.statistic), pytest.approx(known.pvalue))


def test_a_perfect_line() -> None:
    x = np.array([0.0, 1.0, 2.0, 3.0])
    assert pearson(x, -2 * x) == (-1.0, 0.0)
    found = one(x, -2 * x)
    assert (found.r, found.stars, found.ci_low, found.ci_high) == (-1.0, "***", -1.0, -1.0)


@pytest.mark.parametrize(("p", "mark"), [(0, "***"), (0.0011, "**"), (0.011, "*"), (0.0501, ""), (1, "")])
def test_stars(p: float, mark: str) -> None:
    assert stars(p) == mark


def test_an_interval_covers_the_truth_as_often_as_it_says() -> None:
    rng = np.random.default_rng(5)
    covered = 0
    for _ in range(200):
        x = rng.normal(size=60)
        y = 0.5 * x + np.sqrt(0.75) * rng.normal(size=60)
        found = one(x, y, resamples=300)
        covered += found.ci_low < 0.5 < found.ci_high
    assert 178 <= covered <= 199  # 95 % less the bootstrap's bias at n = 60; ±3 standard errors


def test_clusters_widen_the_interval() -> None:
    rng = np.random.default_rng(7)
    readers = np.repeat(np.arange(10), 20)
    x, y = rng.normal(size=(2, 10))[:, readers] + 0.3 * rng.normal(size=(2, 200))
    names = ("NLD", "m")
    apart = Points("scanpaths", names, x, y[:, None], (list(map(str, range(200))),))
    together = Points("scanpaths", names, x, y[:, None], (list(map(str, readers)),))
    narrow, wide = (correlate(p, np.random.default_rng(1), 500)[0] for p in (apart, together))
    assert wide.r == narrow.r
    assert wide.ci_high - wide.ci_low > 2 * (narrow.ci_high - narrow.ci_low)


def test_too_few_points_are_said() -> None:
    found = one([0.1, 0.2], [1, 2])
    assert (found.n, found.r, found.p, found.ci_low, found.stars) == (2, None, None, None, "")
    assert found.note == "2 readers: a correlation needs at least 3"
    assert one([], []).note == "0 readers: a correlation needs at least 3"


def test_a_constant_is_said() -> None:
    assert one([0.1, 0.2, 0.4], [0, 0, 0]).note == "skipping_rate is 0 for all 3 readers"
    assert one([0.5, 0.5, 0.5], [1, 2, 3], unit="scanpaths").note == "NLD is 0.5 for all 3 scanpaths"
    # Means of the same numbers in another order differ in the last bit: still a constant.
    assert one([0.1 + 0.2, 0.3, 0.3], [1, 2, 3]).r is None


def test_a_nearly_constant_measure_has_r_but_no_interval() -> None:
    found = one([0.1, 0.5, 0.3, 0.4], [0, 0, 0, 1], resamples=2000)
    assert found.r == pytest.approx(stats.pearsonr([0.1, 0.5, 0.3, 0.4], [0, 0, 0, 1]).statistic)
    assert found.ci_low is None
    assert found.note.startswith("no interval: a column is constant in ")
    assert found.note.endswith(" of 2,000 resamples of readers")


def test_a_column_that_is_left_out_changes_no_other() -> None:
    rng = np.random.default_rng(2)
    x, good = rng.normal(size=(2, 20))
    names = ("NLD", "a", "b")
    ids = (list(map(str, range(20))),)
    both = Points("readers", names, x, np.column_stack([np.zeros(20), good]), ids)
    found = correlate(both, np.random.default_rng(1), 200)
    assert found[0].r is None
    assert found[1] == correlate(points(x, good), np.random.default_rng(1), 200)[0]

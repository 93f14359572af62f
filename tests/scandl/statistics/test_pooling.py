"""Rubin's rules: a worked example by hand, laws, and coverage where what was lost is known."""

from __future__ import annotations

import numpy as np
import pytest

from scandl.statistics.pooling import pool


def test_a_worked_example() -> None:
    """Means 10, 12, 14 with errors 1, 2, 3: W = 14/3, B = 4, T = W + 4/3 B = 10."""
    found = pool([10, 12, 14], [1, 2, 3])
    assert found.mean == 12
    assert found.sd**2 == pytest.approx(10)
    assert found.df == pytest.approx(2 * (10 / (16 / 3)) ** 2)
    r = (16 / 3) / (14 / 3)
    assert found.missing_information == pytest.approx((r + 2 / (found.df + 3)) / (r + 1))


def test_imputations_that_agree_lose_nothing() -> None:
    found = pool([0.4] * 5, [0.1] * 5)
    assert (found.mean, found.missing_information) == (pytest.approx(0.4), 0.0)
    assert found.interval() == pytest.approx((0.4 - 0.196, 0.4 + 0.196), abs=1e-3)


def test_coverage_where_a_third_was_lost() -> None:
    """The mean of a normal sample of which 30 % is lost, filled in from its posterior predictive."""
    rng, held, tries = np.random.default_rng(1), 0, 400
    for _ in range(tries):
        known = rng.normal(1.0, 2.0, 35)
        means, sds = [], []
        for _ in range(5):
            sd = known.std(ddof=1) * np.sqrt(34 / rng.chisquare(34))
            mean = rng.normal(known.mean(), sd / np.sqrt(35))
            whole = np.concatenate([known, rng.normal(mean, sd, 15)])
            means.append(whole.mean())
            sds.append(whole.std(ddof=1) / np.sqrt(50))
        low, high = pool(means, sds).interval()
        held += low <= 1.0 <= high
    assert held / tries == pytest.approx(0.95, abs=0.025)

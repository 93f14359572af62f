from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from scandl.statistics.student import quantile, two_sided

DEGREES = st.floats(1.0, 1e6)


@given(st.floats(-60.0, 60.0), DEGREES)
def test_the_tails_agree_with_scipy(t, df):
    assert two_sided(t, df) == pytest.approx(2 * stats.t.sf(abs(t), df), rel=1e-7, abs=1e-250)


@given(st.floats(0.0005, 0.9995), DEGREES)
def test_quantiles_agree_with_scipy(probability, df):
    assert quantile(probability, df) == pytest.approx(stats.t.ppf(probability, df), rel=1e-7, abs=1e-9)


@pytest.mark.parametrize("df", [1, 2, 4, 11, 204])
def test_very_small_p_values_keep_their_size(df):
    """Holm multiplies by the number of tests: a tail cut off at 0 or at rounding would be no p-value."""
    for t in (8.0, 20.0, 30.0):
        assert math.log(two_sided(t, df)) == pytest.approx(stats.t.logsf(t, df) + math.log(2), rel=1e-6)


def test_the_middle_and_the_ends():
    assert two_sided(0.0, 5) == 1.0
    assert two_sided(1e-6, 1e6) == pytest.approx(2 * stats.t.sf(1e-6, 1e6), rel=1e-12)
    assert two_sided(math.inf, 5) == 0.0
    assert quantile(0.5, 3) == pytest.approx(0.0, abs=1e-12)
    assert quantile(0.025, 3) == -quantile(0.975, 3)

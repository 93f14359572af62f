from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from scandl.statistics.folds import FoldSpread, fold_spread, paired_t


@given(st.lists(st.floats(0, 1), min_size=2, max_size=12))
def test_fold_spread_agrees_with_numpy(means):
    spread = FoldSpread({str(i): mean for i, mean in enumerate(means)})
    assert spread.sd == pytest.approx(np.std(means), abs=1e-12)
    assert spread.se == pytest.approx(stats.sem(means), abs=1e-12)


def test_one_fold_has_no_spread():
    spread = fold_spread(np.array([0.1, 0.3]), ["0", "0"])
    assert (spread.mean, spread.sd, spread.se) == (0.2, None, None)


def test_paired_t_agrees_with_scipy():
    rng = np.random.default_rng(5)
    a, b = rng.random(5), rng.random(5)
    folds = [FoldSpread({str(i): float(v) for i, v in enumerate(x)}) for x in (a, b)]
    test = paired_t(*folds)
    expected = stats.ttest_rel(a, b)
    assert (test.t, test.df, test.p) == pytest.approx((expected.statistic, 4, expected.pvalue))


def test_paired_t_needs_two_shared_folds_and_survives_equal_ones():
    a = FoldSpread({"0": 0.5, "1": 0.6})
    assert paired_t(a, FoldSpread({"1": 0.5, "2": 0.6})) is None
    same = paired_t(a, a)
    assert (same.t, same.p) == (None, 1.0)
    shifted = paired_t(a, FoldSpread({"0": 0.25, "1": 0.35}))
    assert (shifted.t, shifted.p) == (None, 0.0)

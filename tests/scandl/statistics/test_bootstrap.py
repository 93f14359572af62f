"""Bootstrap weights and weighted statistics against the resampling done row by row."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from scandl.statistics.bootstrap import correlation, holm, interval, mean_and_sd, weights

READERS = ["r1", "r1", "r2", "r2", "r3"]
SENTENCES = ["s1", "s2", "s1", "s2", "s1"]


def all_weights(*clusters, resamples=500, seed=1):
    return np.vstack(list(weights(*clusters, rng=np.random.default_rng(seed), resamples=resamples)))


def test_weights_are_products_of_whole_draws() -> None:
    drawn = all_weights(READERS, SENTENCES)
    assert drawn.shape == (500, 5)
    assert (drawn == np.round(drawn)).all()
    # r1 × s1, r1 × s2, r2 × s1, r2 × s2: the two ratios are those of the sentences, so products cross.
    np.testing.assert_array_equal(drawn[:, 0] * drawn[:, 3], drawn[:, 1] * drawn[:, 2])
    assert drawn.mean() == pytest.approx(1.0, abs=0.1)


def test_a_single_level_is_not_resampled() -> None:
    assert (all_weights(["r"] * 3, ["s"] * 3) == 1).all()


def test_blocks_do_not_change_the_law(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scandl.statistics.bootstrap._BLOCK_CELLS", 7)
    assert all_weights(READERS, resamples=20).shape == (20, 5)


def test_weighted_statistics_are_those_of_the_repeated_rows() -> None:
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(2, 12))
    weight = rng.integers(0, 4, size=(30, 12)).astype(float)
    means, sds = mean_and_sd(weight, x[:, None])[..., 0]
    r = correlation(weight, x[:, None], y[:, None])[:, 0]
    for k, row in enumerate(weight):
        rows = np.repeat(np.arange(12), row.astype(int))
        assert means[k] == pytest.approx(x[rows].mean())
        assert sds[k] == pytest.approx(x[rows].std())
        assert r[k] == pytest.approx(stats.pearsonr(x[rows], y[rows])[0])


def test_what_a_resample_does_not_define_is_missing() -> None:
    x = np.array([[1.0], [2.0], [3.0]])
    weight = np.array([[3.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, 1.0, 1.0]])
    np.testing.assert_array_equal(np.isnan(correlation(weight, x, x[::-1])[:, 0]), [True, True, False])
    np.testing.assert_array_equal(np.isnan(mean_and_sd(weight, x)[0, :, 0]), [False, True, False])


def test_an_interval_needs_most_resamples() -> None:
    draws = np.arange(100.0)
    assert interval(np.where(draws < 5, np.nan, draws)) is not None
    assert interval(np.where(draws < 6, np.nan, draws)) is None
    assert interval(np.array([])) is None


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_agrees_with_its_definition(p_values):
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    expected = [0.0] * len(p_values)
    for place, i in enumerate(order):
        steps = [(len(p_values) - j) * p_values[order[j]] for j in range(place + 1)]
        expected[i] = min(1.0, max(steps))
    assert holm(p_values) == pytest.approx(expected)


def test_nothing_tested_is_nothing_adjusted():
    assert holm([]) == []

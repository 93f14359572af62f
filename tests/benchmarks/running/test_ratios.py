from __future__ import annotations

import numpy as np
import pytest

from scandl_eval.running.ratios import Ratio, fold_values, of_values, shared_draws, shared_units

UNITS = [
    (fold, reader, sentence) for fold, sentence in (("0", "a"), ("1", "b"), ("1", "c")) for reader in "xy"
]


def ratio(top, bottom, units=UNITS) -> Ratio:
    return Ratio(tuple(units), np.array(top, float), np.array(bottom, float))


def test_value_is_a_ratio_of_sums_in_all_and_by_fold():
    found = ratio([1, 2, 3, 4, 5, 6], [2, 2, 4, 4, 4, 4])
    assert found.value == 21 / 20
    assert fold_values(found).means == {"0": 3 / 4, "1": 18 / 16}


def test_draws_of_two_models_come_from_the_same_resamples():
    a, b = ratio([1, 2, 3, 4, 5, 6], [1] * 6), ratio([2, 4, 6, 8, 10, 12], [1] * 6)
    draws = shared_draws({"a": a, "b": b}, seed=3, resamples=200)
    assert draws.shape == (200, 2)
    assert np.nanstd(draws[:, 0]) > 0
    np.testing.assert_allclose(draws[:, 1], 2 * draws[:, 0])


def test_draws_agree_with_resampling_written_out():
    # One reader and sentence draw by hand: every draw is a weighted ratio of whole multiplicities.
    found = ratio([1, 2, 3, 4, 5, 6], [1, 1, 2, 2, 3, 3])
    draws = shared_draws({"a": found}, seed=1, resamples=500)[:, 0]
    possible = set()
    for x in range(3):
        for a in range(4):
            for b in range(4 - a):
                m_reader, m_sentence = (x, 2 - x), (a, b, 3 - a - b)
                weights = np.array([r * s for s in m_sentence for r in m_reader], float)
                possible.add(round(float(weights @ found.top / (weights @ found.bottom)), 9))
    assert {round(value, 9) for value in draws.tolist()} <= possible
    assert len({round(value, 9) for value in draws.tolist()}) > 10


def test_models_with_different_units_are_compared_on_shared_ones():
    a, b = ratio([1] * 6, [1] * 6), of_values(UNITS[1:5], [2.0, 2.0, 2.0, float("nan")])
    assert shared_units({"a": a, "b": b}) == UNITS[1:4]


def test_sentences_are_resampled_where_units_have_no_reader():
    units = [("", "", sentence) for sentence in "abcd"]
    draws = shared_draws({"a": of_values(units, [0.0, 1.0, 2.0, 3.0])}, seed=1, resamples=400)
    assert set(np.unique(draws * 4)) <= set(range(13))
    assert draws.mean() == pytest.approx(1.5, abs=0.1)


def test_one_of_everything_has_no_draws():
    assert shared_draws({"a": ratio([1], [1], [("0", "r", "s")])}, seed=1, resamples=10) is None

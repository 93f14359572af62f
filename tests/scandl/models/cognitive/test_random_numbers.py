from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit
from scipy import special, stats

from scandl.models.cognitive import random_numbers as chance

N = 20_000


@njit
def _draw(kind, key, n, shape, mean, limit):
    state = chance.new_state(key)
    drawn = np.empty(n)
    for i in range(n):
        if kind == 0:
            drawn[i] = chance.uniform(state)
        elif kind == 1:
            drawn[i] = chance.exponential(state)
        elif kind == 2:
            drawn[i] = chance.normal(state)
        elif kind == 3:
            drawn[i] = chance.gamma(state, shape, mean)
        else:
            drawn[i] = chance.truncated_gamma(state, shape, mean, limit)
    return drawn


def draw(kind, n=N, shape=1.0, mean=1.0, limit=1.0):
    return _draw(kind, np.uint64(7), n, shape, mean, limit)


def test_known_answers_of_xoshiro256plusplus():
    state = np.array([1, 2, 3, 4], np.uint64)
    drawn = [int(chance.uniform(state) * 2**53) for _ in range(4)]
    # The first four outputs of the published algorithm from this state; 53 of 64 bits are used.
    assert drawn == [n >> 11 for n in (41943041, 58720359, 3588806011781223, 3591011842654386)]


def test_known_answer_of_splitmix64():
    state = chance.new_state(np.uint64(1234567))
    assert state.tolist()[:2] == [6457827717110365317, 3203168211198807973]


@pytest.mark.parametrize(("kind", "law"), [(0, "uniform"), (1, "expon"), (2, "norm")])
def test_draws_follow_their_law(kind, law):
    assert stats.kstest(draw(kind), law).pvalue > 0.005


@pytest.mark.parametrize("shape", [0.3, 1.0, 4.5, 20.0])
def test_gamma_follows_its_law(shape):
    assert (
        stats.kstest(draw(3, shape=shape, mean=125.0), stats.gamma(shape, scale=125 / shape).cdf).pvalue
        > 0.005
    )


def test_gamma_of_infinite_shape_is_its_mean():
    assert (draw(3, n=5, shape=np.inf, mean=25.0) == 25.0).all()


@pytest.mark.parametrize("shape", [0.3, 2.0, 20.0])
@pytest.mark.parametrize("limit", [20.0, 110.0, 400.0])
def test_truncated_gamma_is_exact(shape, limit):
    law = stats.gamma(shape, scale=125 / shape)
    drawn = draw(4, n=2_000, shape=shape, mean=125.0, limit=limit)
    assert drawn.max() <= limit
    assert stats.kstest(drawn, lambda x: law.cdf(x) / law.cdf(limit)).pvalue > 0.005


@given(st.floats(0.0, 200.0), st.floats(0.05, 80.0), st.floats(0.5, 40.0))
def test_gamma_cdf_agrees_with_scipy(x, shape, mean):
    expected = special.gammainc(shape, x * shape / mean)
    assert chance.gamma_cdf(x, shape, mean) == pytest.approx(expected, rel=1e-9, abs=1e-13)


def test_keys_of_different_trials_differ():
    names = [(seed, s, run) for seed in range(5) for s in ("1", "2") for run in range(50)]
    assert len({chance.trial_key(*name) for name in names}) == len(names)

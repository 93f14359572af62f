from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scandl_analysis.glm.kernels import exp_into, softplus_sum, sum_by


@settings(deadline=None)  # the first call compiles
@given(st.lists(st.floats(-700, 700), min_size=1, max_size=1500))
def test_exp_is_the_library_exp_to_the_last_bits(values: list[float]) -> None:
    x = np.array(values)
    out = np.empty_like(x)
    exp_into(x, out)
    np.testing.assert_allclose(out, np.exp(x), rtol=1e-15)


def test_exp_clips_instead_of_overflowing() -> None:
    out = np.empty(2)
    exp_into(np.array([1e6, -1e6]), out)
    np.testing.assert_allclose(out, np.exp([700.0, -700.0]), rtol=1e-15)


@pytest.mark.parametrize("seed", range(5))
def test_softplus_sum_agrees_with_its_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    eta = rng.normal(0, 10, 300)
    e = np.exp(-np.abs(eta))
    total = softplus_sum(eta, e, 2.5)
    assert total == pytest.approx(2.5 * np.logaddexp(0, eta).sum(), rel=1e-13)
    np.testing.assert_allclose(e, 2.5 / (1 + np.exp(-eta)), rtol=1e-13)


def test_sum_by_is_bincount() -> None:
    rng = np.random.default_rng(1)
    index, values = rng.integers(0, 7, 100), rng.normal(size=100)
    out = np.ones(7)
    sum_by(index, values, out)
    np.testing.assert_allclose(out, np.bincount(index, values, 7))

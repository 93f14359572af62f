from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon
from scipy.stats import wasserstein_distance

from scandl.measures.distribution.divergences import jensen_shannon, wasserstein


@pytest.mark.parametrize("seed", range(50))
def test_agrees_with_scipy(seed):
    rng = np.random.default_rng(seed)
    support = np.sort(rng.choice(np.arange(-20.0, 20.0), 9, replace=False))
    p, q = rng.integers(0, 5, (2, 9)).astype(float)
    p[0] += 1
    q[-1] += 1
    assert float(wasserstein(support, p, q)) == pytest.approx(wasserstein_distance(support, support, p, q))
    assert float(jensen_shannon(p, q)) == pytest.approx(jensenshannon(p, q, base=2) ** 2)


def test_no_mass_has_no_distance():
    nothing, some = np.zeros(2), np.ones(2)
    assert np.isnan(wasserstein(np.arange(2.0), nothing, some))
    assert np.isnan(jensen_shannon(nothing, some))


def test_rows_are_compared_one_by_one():
    p, q = np.array([[1.0, 0], [0, 1.0]]), np.array([[1.0, 0], [1.0, 0]])
    assert wasserstein(np.array([0.0, 5.0]), p, q).tolist() == [0, 5]
    assert jensen_shannon(p, q).tolist() == [0, 1]

from __future__ import annotations

import numpy as np
import pytest

from scandl.measures.pair.alignment import alignment_cost


@pytest.mark.parametrize("seed", range(20))
def test_agrees_with_the_recursive_definition(seed, slow_alignment):
    rng = np.random.default_rng(seed)
    for _ in range(25):
        m, n = rng.integers(0, 9, 2)
        prices = rng.normal(size=(m, n)), rng.normal(size=m), rng.normal(size=n)
        assert alignment_cost(*prices) == pytest.approx(slow_alignment(*prices))

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from scandl_analysis.glm.bending import Bending

BENDING = Bending(np.array([0.0, 0.4, 2.0]), np.array([0.1, 1.0, 0.3]))


@pytest.mark.parametrize("at", [-5.0, -0.4, 0.0, 2.0])
def test_slopes_are_the_derivatives(at: float) -> None:
    x, step = np.full(3, at), 1e-6
    first, of_log = BENDING.slopes(x)
    np.testing.assert_allclose(
        first, (BENDING.bent(x + step) - BENDING.bent(x - step)) / (2 * step), rtol=1e-6
    )
    numeric = np.log(BENDING.slopes(x + step)[0]) - np.log(BENDING.slopes(x - step)[0])
    np.testing.assert_allclose(of_log, numeric / (2 * step), atol=1e-5)
    assert (first >= 1).all()  # one-to-one


def test_a_deviation_that_may_be_zero_gets_a_normal_tail() -> None:
    """The deviation is half-normal: its logarithm falls off like an exponential to the left."""

    def negative(x: np.ndarray) -> float:
        return float(-stats.halfnorm.logpdf(np.exp(x)) - x)

    mode, spread = np.zeros(1), np.array([1 / np.sqrt(2)])
    bending = Bending.of(lambda x: negative(x[0]), mode, spread, 1)
    z = np.linspace(-4, -1, 7)[:, None]
    density = np.array(
        [
            -negative(bending.bent(spread * each)[0]) + np.log(bending.slopes(spread * each)[0][0])
            for each in z
        ]
    )
    drop = density.max() - density[0]
    assert drop == pytest.approx(8, abs=2)  # four spreads of a normal density: 16 / 2
    straight = negative(mode[0] - 4 * spread[0]) - negative(mode[0])
    assert straight < 3


def test_what_is_known_well_is_hardly_bent() -> None:
    bending = Bending.of(lambda x: float(0.5 * (x[0] / 0.05) ** 2), np.zeros(1), np.array([0.05]), 1)
    assert bending.bent(np.array([-0.15]))[0] == pytest.approx(-0.15, abs=0.01)

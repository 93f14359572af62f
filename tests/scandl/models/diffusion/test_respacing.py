"""Fewer steps at test time: which are kept, and the noise at each."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from scandl.errors import ConfigError
from scandl.models.diffusion.respacing import grid, respaced_betas
from scandl.models.diffusion.schedules import alpha_bar, betas

# beta_0, beta_1, beta_1999, then alpha_bar at 0, 99, 499, 999, 1499, 1999, for T = 2000
CONSTANTS = {
    "sqrt": (0.01464131, 0.008889088, 0.999, 0.985359, 0.784010, 0.504950, 0.295780, 0.135270, 2.0204e-07),
    "cosine": (
        2.003513e-05,
        2.124952e-05,
        0.999,
        0.999980,
        0.992007,
        0.847012,
        0.493844,
        0.144272,
        6.07192e-10,
    ),
    "linear": (5e-05, 5.497749e-05, 0.01, 0.999950, 0.970791, 0.523882, 0.0788258, 0.00339586, 4.17556e-05),
    "trunc_cos": (
        0.02025351,
        0.0002058141,
        0.7499999,
        0.979746,
        0.955112,
        0.770921,
        0.429549,
        0.122593,
        5.09794e-07,
    ),
    "trunc_lin": (
        0.01005,
        0.01005498,
        0.02,
        0.989950,
        0.355235,
        0.00341973,
        3.31665e-06,
        9.09364e-10,
        7.02617e-14,
    ),
}


def test_respacing_has_the_constants_of_the_sheet() -> None:
    beta = betas("sqrt", 2000)
    assert grid(2000, 20)[:3] == [0, 105, 210]
    ten = respaced_betas(beta, grid(2000, 10))
    np.testing.assert_allclose(
        ten[[0, 1, 2, -2, -1]], [0.0146413, 0.317344, 0.206836, 0.51587, 0.999996], rtol=2e-6
    )
    twenty = respaced_betas(beta, grid(2000, 20))
    np.testing.assert_allclose(twenty[[0, 1, 2, -1]], [0.0146413, 0.211111, 0.122832, 0.999992], rtol=5e-6)


@pytest.mark.parametrize("name", CONSTANTS)
@pytest.mark.parametrize("late", [1.0, 3.0])
def test_respacing_keeps_the_noise_level_of_every_kept_step(name: str, late: float) -> None:
    beta = betas(name, 2000)
    for steps in (2, 7, 50, 400):
        chosen = grid(2000, steps, late=late)
        assert len(set(chosen)) == steps
        assert (chosen[0], chosen[-1]) == (0, 1999)
        assert chosen == sorted(chosen)
        np.testing.assert_allclose(
            alpha_bar(respaced_betas(beta, chosen)), alpha_bar(beta)[chosen], rtol=1e-9, atol=1e-14
        )


def test_all_steps_give_the_process_itself() -> None:
    beta = betas("sqrt", 300)
    np.testing.assert_allclose(respaced_betas(beta, grid(300, 300)), beta, rtol=1e-9)


@pytest.mark.parametrize("steps", [0, 1, 2001])
def test_impossible_numbers_of_steps_are_refused(steps: int) -> None:
    with pytest.raises(ConfigError, match=f"found {steps}, expected 2..2000"):
        grid(2000, steps)


def test_a_late_grid_crowds_where_the_noise_is_high() -> None:
    chosen = grid(2000, 50, late=3)
    assert sum(step > 1500 for step in chosen) > 25


def test_a_grid_stays_within_the_trained_steps_for_any_crowding() -> None:
    for late in (1e-6, 0.01, 0.5, 50.0, 1e6):
        chosen = grid(40, 12, late=late)
        assert (chosen[0], chosen[-1]) == (0, 39)
        assert all(a < b for a, b in itertools.pairwise(chosen))

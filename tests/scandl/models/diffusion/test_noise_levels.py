"""Noise levels: the formulas of the schedules, the steps that are kept, the posterior."""

from __future__ import annotations

import numpy as np
import pytest

from scandl.errors import ConfigError, ScandlError
from scandl.models.diffusion.loss import Diffusion
from scandl.models.diffusion.noise_levels import SCHEDULES, alpha_bar, betas, grid, respaced_betas

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


@pytest.mark.parametrize("name", CONSTANTS)
def test_constants_at_two_thousand_steps(name: str) -> None:
    beta = betas(name, 2000)
    level = alpha_bar(beta)
    found = [*beta[[0, 1, 1999]], *level[[0, 99, 499, 999, 1499, 1999]]]
    np.testing.assert_allclose(found, CONSTANTS[name], rtol=1e-5)


def test_there_are_five_schedules() -> None:
    assert set(SCHEDULES) == set(CONSTANTS)
    with pytest.raises(ScandlError, match=r"no noise schedule 'cosin'; did you mean 'cosine'\?"):
        betas("cosin", 10)
    with pytest.raises(ConfigError, match="found 1, expected at least 2"):
        betas("sqrt", 1)


@pytest.mark.parametrize("name", ["linear", "trunc_lin"])
def test_a_schedule_that_has_not_steps_enough_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match=f"noise schedule '{name}' in 10 steps: found betas up to 2.0"):
        betas(name, 10)


# beta_0, beta_1, beta_1999, then alpha_bar at 0, 99, 499, 999, 1499, 1999, for T = 2000


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
def test_respacing_keeps_the_noise_level_of_every_kept_step(name: str) -> None:
    beta = betas(name, 2000)
    for steps in (2, 7, 50, 400):
        chosen = grid(2000, steps)
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


@pytest.fixture
def paper() -> Diffusion:
    return Diffusion.named("sqrt", 2000)


def test_posterior_constants(paper: Diffusion) -> None:
    c0, c1, variance = paper.posterior
    np.testing.assert_allclose(
        [c0[1000], c1[1000], variance[1000]], [0.00093165469, 0.99888995, 0.0012063644], rtol=1e-7
    )
    np.testing.assert_allclose([c0[1], c1[1], variance[1]], [0.37708032, 0.62290322, 0.0055618163], rtol=1e-7)
    assert (c0[0], c1[0]) == (1.0, 0.0)
    assert paper.start_std() == pytest.approx(0.121001, abs=1e-6)


def test_a_respaced_process_knows_the_trained_steps(paper: Diffusion) -> None:
    steps = grid(2000, 10)
    fewer = paper.respaced(steps)
    assert fewer.trained_steps == tuple(steps)
    np.testing.assert_allclose(fewer.alpha_bar, paper.alpha_bar[steps], rtol=1e-9)

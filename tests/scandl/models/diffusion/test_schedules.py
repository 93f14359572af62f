"""Schedules and respacing: the constants of the released process."""

from __future__ import annotations

import numpy as np
import pytest

from scandl.errors import ConfigError, ScandlError
from scandl.models.diffusion.schedules import SCHEDULES, alpha_bar, betas

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

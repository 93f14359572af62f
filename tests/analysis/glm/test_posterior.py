from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from scandl_analysis.glm.design import build_design
from scandl_analysis.glm.posterior import Posterior
from scandl_analysis.glm.priors import resolve
from scandl_analysis.glm.spec import Family, Glm, Slope

Made = Callable[..., pd.DataFrame]
STEP = 1e-5


@pytest.fixture(params=["bernoulli", "poisson", "negativebinomial"])
def posterior(request: pytest.FixtureRequest, made_words: Made) -> Posterior:
    family: Family = request.param
    frame = made_words(family, n_readers=5)
    slopes = (Slope("surprisal", "reader_id"),) if family != "negativebinomial" else ()
    glm = Glm("y", family, groups=("reader_id",), slopes=slopes)
    design = build_design(frame, glm)
    return Posterior(glm, design, resolve("weak", glm, design))


@pytest.fixture
def point(posterior: Posterior) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(4)
    return rng.normal(-0.5, 0.3, posterior.n_hyper), rng.normal(0, 0.3, posterior.n_effects)


def moved(values: np.ndarray, k: int, step: float) -> np.ndarray:
    changed = values.copy()
    changed[k] += step
    return changed


def test_gradients_are_the_differences_of_the_density(
    posterior: Posterior, point: tuple[np.ndarray, np.ndarray]
) -> None:
    hyper, effects = point
    _, by_hyper, by_effects = posterior.value_and_gradient(hyper, effects)
    for k in range(posterior.n_hyper):
        up, down = (posterior.value_and_gradient(moved(hyper, k, s), effects)[0] for s in (STEP, -STEP))
        assert by_hyper[k] == pytest.approx((up - down) / (2 * STEP), rel=1e-4, abs=1e-4)
    for k in range(posterior.n_effects):
        up, down = (posterior.value_and_gradient(hyper, moved(effects, k, s))[0] for s in (STEP, -STEP))
        assert by_effects[k] == pytest.approx((up - down) / (2 * STEP), rel=1e-4, abs=1e-4)


def test_curvature_is_minus_the_difference_of_the_gradient(
    posterior: Posterior, point: tuple[np.ndarray, np.ndarray]
) -> None:
    hyper, effects = point
    whole = posterior.curvature(hyper, effects)
    for k in range(posterior.n_effects):
        up, down = (posterior.value_and_gradient(hyper, moved(effects, k, s))[2] for s in (STEP, -STEP))
        column = -(up - down) / (2 * STEP)
        unit = np.zeros(posterior.n_effects)
        unit[k] = 1.0
        np.testing.assert_allclose(whole.product(unit), column, rtol=1e-3, atol=1e-3)

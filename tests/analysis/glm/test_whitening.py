from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from scandl_analysis.glm.design import build_design
from scandl_analysis.glm.laplace import Laplace, approximate
from scandl_analysis.glm.posterior import Posterior
from scandl_analysis.glm.priors import resolve
from scandl_analysis.glm.spec import Family, Glm, Slope
from scandl_analysis.glm.whitening import Bending

Made = Callable[..., pd.DataFrame]
GROUPS = ("reader_id", "sentence_id", "word_token")
SLOPES = (Slope("surprisal", "reader_id"), Slope("word_length", "reader_id"))
BENDING = Bending(np.array([0.0, 0.4, 2.0]), np.array([0.1, 1.0, 0.3]))


def crossed(made_words: Made, family: Family) -> Laplace:
    frame = made_words(family, n_readers=6, n_shared=5, n_own=1, sd_token=0.4, sd_sentence=0.3, sd_slope=0.3)
    glm = Glm("y", family, groups=GROUPS, slopes=SLOPES)
    design = build_design(frame, glm)
    return approximate(Posterior(glm, design, resolve("brms", glm, design)))


@pytest.mark.parametrize("family", ["bernoulli", "gaussian"])
def test_at_the_mode_of_deviations_effects_have_the_inverse_curvature(
    made_words: Made, family: Family
) -> None:
    laplace = crossed(made_words, family)
    n = laplace.posterior.n_effects
    still = np.zeros((n, n))
    made = laplace.cascade.make(np.eye(n), still, np.ones((n, n)))
    root = (made.effects - laplace.effects).T
    product = np.stack([laplace.curvature.product(column) for column in (root @ root.T).T])
    np.testing.assert_allclose(product, np.eye(n), atol=1e-8)


def test_effects_go_back_to_what_they_were_made_of(made_words: Made) -> None:
    laplace = crossed(made_words, "bernoulli")
    rng = np.random.default_rng(1)
    drift = rng.normal(size=(1, laplace.posterior.n_effects))
    stretch = rng.uniform(0.5, 1.5, drift.shape)
    made = laplace.cascade.make(np.zeros_like(drift), drift, stretch)
    np.testing.assert_allclose(laplace.cascade.unmade(made.effects[0], stretch[0]), drift[0], atol=1e-9)


@pytest.mark.parametrize("moved", [-2.0, 0.0, 1.5])
@pytest.mark.parametrize("group", [-1, -2])
def test_tokens_of_a_normal_error_are_round_whatever_the_deviations(
    made_words: Made, moved: float, group: int
) -> None:
    """Far from the mode of a σ, of tokens or of sentences, the density of tokens stays standard normal."""
    laplace = crossed(made_words, "gaussian")
    q, n_tokens = (
        len(laplace.hyper),
        int((laplace.posterior.group_of == laplace.posterior.n_groups - 1).sum()),
    )
    rng = np.random.default_rng(2)
    z = rng.normal(size=laplace.n_dim)
    straight = np.zeros(q)
    straight[q - 1 + group] = moved  # the last hyper-parameter is the error
    z[:q] = np.linalg.solve(laplace.hyper_root, straight)
    points = np.tile(z, (2, 1))
    points[1, -n_tokens:] = rng.normal(size=n_tokens)
    (one, other), _ = laplace.values_and_gradients(points)
    lengths = (points[:, -n_tokens:] ** 2).sum(axis=1)
    assert other - one == pytest.approx(-0.5 * (lengths[1] - lengths[0]), abs=1e-3)


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

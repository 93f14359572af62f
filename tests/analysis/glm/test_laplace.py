from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from scandl_analysis.glm.design import build_design
from scandl_analysis.glm.fit import fit
from scandl_analysis.glm.laplace import Laplace, approximate
from scandl_analysis.glm.posterior import Posterior
from scandl_analysis.glm.priors import resolve
from scandl_analysis.glm.spec import Family, Glm, Sampling, Slope

Made = Callable[..., pd.DataFrame]


def laplace_of(frame: pd.DataFrame, glm: Glm, priors: str = "brms") -> Laplace:
    design = build_design(frame, glm)
    return approximate(Posterior(glm, design, resolve(priors, glm, design)))


CROSSED = ("reader_id", "sentence_id", "word_token")
SLOPES = (Slope("surprisal", "reader_id"),)
CASES: list[tuple[Family, tuple[str, ...], tuple[Slope, ...]]] = [
    ("bernoulli", (), ()),
    ("bernoulli", ("reader_id",), ()),
    ("poisson", ("reader_id", "sentence_id"), ()),
    ("negativebinomial", ("reader_id",), ()),
    ("bernoulli", CROSSED, SLOPES),
    ("poisson", CROSSED, SLOPES),
    ("lognormal", CROSSED, SLOPES),
    ("gaussian", (), ()),
]


@pytest.mark.parametrize(("family", "groups", "slopes"), CASES)
def test_gradient_in_whitened_coordinates(
    made_words: Made, family: Family, groups: tuple[str, ...], slopes: tuple[Slope, ...]
) -> None:
    laplace = laplace_of(
        made_words(family, n_readers=5, n_words=5, sd_sentence=0.4, sd_slope=0.3, sd_token=0.3),
        Glm("y", family, groups=groups, slopes=slopes),
    )
    z = np.random.default_rng(1).normal(size=laplace.n_dim)
    _, (gradient,) = laplace.values_and_gradients(z[None])
    steps = 1e-5 * np.eye(laplace.n_dim)
    above, below = (laplace.values_and_gradients(points)[0] for points in (z + steps, z - steps))
    np.testing.assert_allclose(gradient, (above - below) / 2e-5, atol=2e-4)


@pytest.mark.parametrize("far", [1e3, np.inf, np.nan])
@pytest.mark.parametrize(("family", "groups", "slopes"), CASES)
def test_a_trajectory_that_left_the_posterior_has_no_density(
    made_words: Made, family: Family, groups: tuple[str, ...], slopes: tuple[Slope, ...], far: float
) -> None:
    """Samplers reject what is not finite or tiny; an error would end the fit."""
    laplace = laplace_of(made_words(family, n_readers=4), Glm("y", family, groups=groups, slopes=slopes))
    with np.errstate(all="ignore"):
        values, _ = laplace.values_and_gradients(np.full((1, laplace.n_dim), far))
    assert not values[0] > -1e4


@pytest.mark.parametrize(("family", "groups", "slopes"), CASES)
def test_density_is_the_posterior_with_its_jacobian(
    made_words: Made, family: Family, groups: tuple[str, ...], slopes: tuple[Slope, ...]
) -> None:
    """The map is smooth and one-to-one, so densities differ by its Jacobian, taken numerically here."""
    laplace = laplace_of(
        made_words(family, n_readers=4, n_own=1, n_shared=2), Glm("y", family, groups=groups, slopes=slopes)
    )
    step = 1e-6

    def joined(z: np.ndarray) -> np.ndarray:
        return np.concatenate(laplace.parameters(z))

    def expected(z: np.ndarray) -> float:
        columns = [(joined(z + step * e) - joined(z - step * e)) / (2 * step) for e in np.eye(len(z))]
        jacobian = np.linalg.slogdet(np.column_stack(columns))[1]
        return laplace.posterior.value_and_gradient(*laplace.parameters(z))[0] + float(jacobian)

    rng = np.random.default_rng(2)
    points = rng.normal(size=(3, laplace.n_dim))
    values, _ = laplace.values_and_gradients(points)
    np.testing.assert_allclose(np.diff(values), np.diff([expected(z) for z in points]), atol=1e-5)


def test_posterior_is_the_textbook_one(made_words: Made) -> None:
    frame = made_words("poisson")
    glm = Glm("y", "poisson", groups=("reader_id",))
    design = build_design(frame, glm)
    posterior = Posterior(glm, design, resolve("brms", glm, design))
    loc = resolve("brms", glm, design).intercept.values["mu"]
    x = frame[list(glm.predictors)].to_numpy()
    reader = pd.factorize(frame["reader_id"], sort=True)[0]

    def slow(log_sd: float, effects: np.ndarray) -> float:
        eta = effects[0] + (x - x.mean(axis=0)) @ effects[1:4] + effects[4:][reader]
        return float(
            stats.poisson.logpmf(frame["y"], np.exp(eta)).sum()
            + stats.t.logpdf(effects[0], 3, loc, 2.5)
            + stats.norm.logpdf(effects[4:], 0, np.exp(log_sd)).sum()
            + stats.t.logpdf(np.exp(log_sd), 3, 0, 2.5)
            + log_sd
        )

    rng = np.random.default_rng(3)
    points = [(rng.normal(-1, 0.5), rng.normal(0, 0.4, 12)) for _ in range(4)]
    values = [posterior.value_and_gradient(np.array([h]), e)[0] for h, e in points]
    np.testing.assert_allclose(np.diff(values), np.diff([slow(h, e) for h, e in points]), rtol=1e-9)


def test_approximation_is_near_the_posterior_where_data_abound(made_words: Made) -> None:
    """Weighted by exact over approximate density, whitened coordinates have mean 0 and variance 1."""
    frame = made_words("poisson", n_readers=30, slopes=(0.3,))
    laplace = laplace_of(frame, Glm("y", "poisson", ("word_length",), ("reader_id",)))
    z = np.random.default_rng(4).normal(size=(3000, laplace.n_dim))
    log_w = laplace.values_and_gradients(z)[0] + 0.5 * (z**2).sum(axis=1)
    w = np.exp(log_w - log_w.max())
    w /= w.sum()
    assert np.abs(w @ z[:, :3]).max() < 0.3
    assert np.abs(w @ z[:, :3] ** 2 - 1).max() < 0.4


@pytest.mark.parametrize("moved", [-4.0, -1.5, 1.5])
def test_spread_of_a_reader_does_not_depend_on_the_deviation(made_words: Made, moved: float) -> None:
    """Second derivative by a reader's coordinate far from the mode of σ: −1 throughout, no funnel."""
    frame = made_words("poisson", n_readers=6, sd=0.15, slopes=(0.3,))
    laplace = laplace_of(frame, Glm("y", "poisson", ("word_length",), ("reader_id",)))
    z = np.zeros(laplace.n_dim)
    z[0] = moved / laplace.hyper_root[0, 0]
    step = np.zeros(laplace.n_dim)
    step[-1] = 1e-3
    values, _ = laplace.values_and_gradients(np.stack([z - step, z, z + step]))
    assert np.diff(values, 2)[0] / 1e-6 == pytest.approx(-1, rel=0.1)


def test_separated_outcomes_have_a_mode_with_proper_priors(made_words: Made) -> None:
    frame = made_words(slopes=(0.5,))
    frame["y"] = (frame["word_length"] > 0).astype(int)
    proper = laplace_of(frame, Glm("y", "bernoulli", ("word_length",)), "weak")
    assert proper.effects[1] > 1


def test_times_in_ms_have_the_effects_of_times_in_seconds() -> None:
    """A normal error has no scale of its own: raw ms far from 0 are no separation."""
    rng = np.random.default_rng(1)
    reader = np.repeat(np.arange(10), 60)
    x = rng.normal(size=600)
    ms = 400 + 20 * x + rng.normal(0, 30, 10)[reader] + rng.normal(0, 60, 600)
    found = {}
    for unit in (1.0, 100.0):
        words = pd.DataFrame({"x": x, "y": ms / unit, "reader_id": reader.astype(str)})
        glm = Glm("y", "gaussian", ("x",), ("reader_id",))
        found[unit] = fit(words, glm, engine="laplace", priors="weak", sampling=Sampling(draws=400))
    slopes = {unit: each.flat("x") for unit, each in found.items()}
    assert slopes[1.0].mean() == pytest.approx(100 * slopes[100.0].mean(), rel=0.02)
    within = np.column_stack([x, np.eye(10)[reader]])
    by_least_squares = np.linalg.lstsq(within, ms, rcond=None)[0][0]
    assert abs(slopes[1.0].mean() - by_least_squares) < 0.3 * slopes[1.0].std()


def test_a_first_step_that_overshoots_is_halved_without_a_warning(made_words: Made) -> None:
    """From 0, Newton's first step to counts of tens of thousands is one to e to their mean."""
    words = made_words("poisson", n_readers=5, n_words=5)
    words["y"] = words["y"] + 50_000
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = laplace_of(words, Glm("y", "poisson", groups=("reader_id",)))
    assert found.effects[0] == pytest.approx(np.log(words["y"].mean()), abs=0.01)


@pytest.mark.parametrize("family", ["negativebinomial", "conwaymaxwell"])
def test_counts_that_vary_little_have_a_shape(family: Family) -> None:
    """Most words have one fixation or none: on the way to such shapes linear predictors run away."""
    rng, n = np.random.default_rng(0), 300
    words = pd.DataFrame({"x": np.tile(rng.normal(size=n), 15), "word_token": np.tile(np.arange(n), 15)})
    reader = np.repeat(np.arange(15), n)
    p = 1 / (1 + np.exp(-0.5 - words["x"] - rng.normal(0, 0.5, 15)[reader]))
    words = words.assign(y=rng.binomial(1, p) + rng.binomial(1, 0.05 * p), reader_id=reader).astype(
        {"reader_id": str, "word_token": str}
    )
    found = laplace_of(words, Glm("y", family, ("x",), ("reader_id", "word_token")))
    assert np.exp(found.hyper[-1]) > 5
    assert found.effects[1] > 0

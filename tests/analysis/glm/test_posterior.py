from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.special import gammaln, logsumexp

from scandl_analysis.glm.columns import Columns
from scandl_analysis.glm.design import build_design
from scandl_analysis.glm.posterior import Poisson, Posterior, likelihood
from scandl_analysis.glm.priors import resolve
from scandl_analysis.glm.spec import Family, Glm, Slope

Made = Callable[..., pd.DataFrame]
STEP = 1e-5


@pytest.fixture(params=["bernoulli", "poisson", "negativebinomial", "conwaymaxwell"])
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


LOG_SHAPE = 0.7
FAMILIES = ["bernoulli", "poisson", "negativebinomial", "conwaymaxwell", "gaussian", "lognormal"]


def slow_log_likelihood(frame: pd.DataFrame, glm: Glm, effects: Any) -> float:
    """Return the sum over words as a textbook writes it, with all constants."""
    x = frame[list(glm.predictors)].to_numpy()
    eta = effects[0] + (x - x.mean(axis=0)) @ effects[1 : 1 + x.shape[1]]
    place = 1 + x.shape[1]
    for factor in sorted(glm.factors, key=lambda name: frame[name].nunique()):
        levels = sorted(frame[factor].unique())
        which = np.array([levels.index(level) for level in frame[factor]])
        values = [frame[name] for name in glm.slopes_of(factor)] + [1.0] * (factor in glm.groups)
        for value in values:
            eta = eta + effects[place + which] * np.asarray(value)
            place += len(levels)
    y = frame["y"].to_numpy()
    if glm.family == "gaussian":
        return float(stats.norm.logpdf(y, eta, np.exp(LOG_SHAPE)).sum())
    if glm.family == "lognormal":
        return float(stats.lognorm.logpdf(y, np.exp(LOG_SHAPE), scale=np.exp(eta)).sum())
    if glm.family == "bernoulli":
        return float(stats.bernoulli.logpmf(y, 1 / (1 + np.exp(-eta))).sum())
    if glm.family == "poisson":
        return float(stats.poisson.logpmf(y, np.exp(eta)).sum())
    shape = np.exp(LOG_SHAPE)
    if glm.family == "conwaymaxwell":
        return float(sum(slow_conway_maxwell(*each, shape) for each in zip(y, eta, strict=True)))
    return float(stats.nbinom.logpmf(y, shape, shape / (shape + np.exp(eta))).sum())


def slow_conway_maxwell(y: float, eta: float, nu: float) -> float:
    """Return the log probability of a count, all 200 terms of the constant added up."""
    j = np.arange(200)
    return float(y * eta - nu * gammaln(y + 1) - logsumexp(j * eta - nu * gammaln(j + 1)))


SLOPES = (Slope("surprisal", "reader_id"), Slope("frequency", "reader_id"))
DESIGNS: list[tuple[tuple[str, ...], tuple[Slope, ...]]] = [
    ((), ()),
    (("reader_id",), ()),
    (("reader_id", "sentence_id"), ()),
    (("reader_id",), SLOPES),
    (("reader_id", "sentence_id", "word_token"), SLOPES),
    (("sentence_id",), (SLOPES[0], Slope("surprisal", "sentence_id"))),
]


@pytest.mark.parametrize(("groups", "slopes"), DESIGNS)
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("aggregate", [True, False])
def test_agrees_with_the_textbook(
    made_words: Made, family: Family, groups: tuple[str, ...], slopes: tuple[Slope, ...], aggregate: bool
) -> None:
    frame = made_words(family).drop(index=[5, 17, 40])  # holes, so that readers and words do not cross fully
    glm = Glm("y", family, groups=groups, slopes=slopes)
    found = likelihood(glm, build_design(frame, glm, aggregate=aggregate))
    rng = np.random.default_rng(2)
    n = 4 + sum(frame[g].nunique() for g in (*groups, *(slope.group for slope in slopes)))
    points = rng.normal(0, 0.5, (3, n))
    values = [found.value_and_gradient(point, LOG_SHAPE)[0] for point in points]
    expected = [slow_log_likelihood(frame, glm, point) for point in points]
    # Constants may differ, differences between points may not.
    np.testing.assert_allclose(np.diff(values), np.diff(expected), rtol=1e-9)


@pytest.mark.parametrize(("groups", "slopes"), DESIGNS[2:])
@pytest.mark.parametrize("family", FAMILIES)
def test_gradient_and_information_are_the_derivatives(
    made_words: Made, family: Family, groups: tuple[str, ...], slopes: tuple[Slope, ...]
) -> None:
    frame = made_words(family, n_readers=4, n_words=5)
    glm = Glm("y", family, groups=groups, slopes=slopes)
    found = likelihood(glm, build_design(frame, glm))
    n = 4 + sum(frame[g].nunique() for g in (*groups, *(slope.group for slope in slopes)))
    point = np.random.default_rng(3).normal(0, 0.3, n)
    step = 1e-5

    def at(effects: Any, log_shape: float = LOG_SHAPE) -> tuple[float, Any, float]:
        return found.value_and_gradient(effects, log_shape)

    _, gradient, by_shape = at(point)
    numeric = [(at(point + step * e)[0] - at(point - step * e)[0]) / (2 * step) for e in np.eye(len(point))]
    np.testing.assert_allclose(gradient, numeric, atol=1e-4)
    if family not in ("bernoulli", "poisson"):
        slope = (at(point, LOG_SHAPE + step)[0] - at(point, LOG_SHAPE - step)[0]) / (2 * step)
        assert by_shape == pytest.approx(slope, abs=1e-4)
    information = found.information(point, LOG_SHAPE)
    for e in np.eye(n)[:: max(1, n // 12)]:
        second = -(at(point + step * e)[1] - at(point - step * e)[1]) / (2 * step)
        np.testing.assert_allclose(information.product(e), second, atol=1e-4)


def test_poisson_reduces_shared_sentences_to_one_block(made_words: Made) -> None:
    glm = Glm("y", "poisson", groups=("reader_id",))
    design = build_design(made_words("poisson"), glm)
    found = Poisson(design, Columns.of(design))
    # 3 shared sentences are met by all 8 readers; each reader has 3 more: 1 + 8 sets of readers.
    assert found._readers.shape == (9, 8)
    assert found._x.shape[1] == (3 + 8 * 3) * 8

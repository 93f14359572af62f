"""Average marginal effects: against integrals, finite differences, simulated readers and lme4."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import quad
from scipy.special import expit, gammaln
from scipy.stats import norm

from scandl.errors import ScandlError
from scandl_analysis.glm.fit import fit
from scandl_analysis.glm.marginal import averaged, drawn, marginal_effects, mean_outcomes
from scandl_analysis.glm.spec import Family, Fit, Glm, Sampling, Slope

RNG = np.random.default_rng(3)
ROWS = pd.DataFrame({"x": RNG.normal(size=40), "z": RNG.integers(0, 4, 40).astype(float)})


def made(family: Family, glm: Glm | None = None, **draws: float) -> Fit:
    """Return a fit of one draw with these values."""
    known = {"Intercept": -0.4, "x": 0.7, "z": -0.2} | draws
    arrays = {name: np.full((1, 1), value) for name, value in known.items()}
    return Fit(glm or Glm("y", family, ("x", "z")), "hmc", "brms", {}, 40, arrays)


@pytest.mark.parametrize("deviation", [0.3, 1.0, 1.5])
def test_the_mean_over_readers_is_the_integral(deviation: float) -> None:
    mean, first, second = (
        each.item() for each in averaged("bernoulli", np.array([[-0.8]]), np.array([[deviation**2]]))
    )

    def integral(of: object) -> float:
        assert callable(of)
        return float(quad(lambda z: of(expit(-0.8 + deviation * z)) * norm.pdf(z), -10, 10)[0])

    assert mean == pytest.approx(integral(lambda p: p), abs=5e-5)
    assert first == pytest.approx(integral(lambda p: p * (1 - p)), abs=5e-5)
    assert second == pytest.approx(integral(lambda p: p * (1 - p) * (1 - 2 * p)), abs=2e-4)


@pytest.mark.parametrize("family", ["bernoulli", "poisson", "conwaymaxwell", "lognormal", "gaussian"])
def test_an_effect_is_the_derivative_of_the_mean_outcome(family: Family) -> None:
    glm = Glm("y", family, ("x", "z"), ("reader",), slopes=(Slope("x", "reader"),))
    names = {"1|reader_sigma": 0.6, "x|reader_sigma": 0.4, "sigma": 0.5, "nu": 2.5, "cor(x, 1|reader)": 0.3}
    found = made(family, glm, **names)
    for name, effect in marginal_effects(found, ROWS).items():
        up, down = (mean_outcomes(found, ROWS.assign(**{name: ROWS[name] + h})) for h in (1e-4, -1e-4))
        assert effect == pytest.approx((up - down) / 2e-4, rel=1e-4)


@pytest.mark.parametrize("nu", [0.3, 1.0, 4.0])
def test_the_mean_of_conway_and_maxwells_counts_is_the_sum(nu: float) -> None:
    j, eta = np.arange(300), np.linspace(-3, 1, 5)[None]
    p = np.exp(eta[..., None] * j - nu * gammaln(j + 1))
    mean = (p @ j) / p.sum(axis=2)
    found = averaged("conwaymaxwell", eta, np.zeros_like(eta), np.array([nu]))
    np.testing.assert_allclose(found[0], mean, rtol=1e-10)
    np.testing.assert_allclose(found[1], (p @ j**2) / p.sum(axis=2) - mean**2, rtol=1e-8)
    many = drawn("conwaymaxwell", np.full((1, 200_000), 0.4), np.array([nu]), np.random.default_rng(1))
    assert many.mean() == pytest.approx(
        averaged("conwaymaxwell", np.array([[0.4]]), np.zeros((1, 1)), np.array([nu]))[0].item(), rel=0.01
    )


def test_readers_drawn_one_by_one_have_the_same_mean() -> None:
    glm = Glm("y", "bernoulli", ("x", "z"), ("reader",), slopes=(Slope("x", "reader"),))
    found = made("bernoulli", glm, **{"1|reader_sigma": 0.9, "x|reader_sigma": 0.5})
    own = RNG.normal(size=(2, 200_000)) * [[0.9], [0.5]]
    x, z = ROWS["x"].to_numpy(), ROWS["z"].to_numpy()
    p = [expit(-0.4 + own[0] + (0.7 + own[1]) * a - 0.2 * b).mean() for a, b in zip(x, z, strict=True)]
    assert mean_outcomes(found, ROWS).item() == pytest.approx(np.mean(p), abs=0.001)


def test_without_groups_it_is_the_textbook_mean_of_derivatives() -> None:
    p = expit(-0.4 + 0.7 * ROWS["x"] - 0.2 * ROWS["z"])
    found = marginal_effects(made("bernoulli"), pd.concat([ROWS, ROWS]), ["x"])
    assert found["x"].item() == pytest.approx(0.7 * (p * (1 - p)).mean(), rel=1e-12)


def test_a_level_has_its_own_effects() -> None:
    glm = Glm("y", "poisson", ("x", "z"), by="group")
    found = made("poisson", glm, **{"group[b]": 0.5, "group[b]:x": -0.3, "group[b]:z": 0.1})
    alone = made("poisson", Intercept=0.1, x=0.4, z=-0.1)
    assert marginal_effects(found, ROWS, level="b")["x"] == pytest.approx(marginal_effects(alone, ROWS)["x"])
    assert marginal_effects(found, ROWS, level="a") == marginal_effects(found, ROWS)


def test_words_without_a_predictor_are_refused() -> None:
    with pytest.raises(ScandlError, match="no words to average over"):
        marginal_effects(made("poisson"), ROWS.assign(x=np.nan))


def crossed(reader: float, slope: float, rng: np.random.Generator) -> pd.DataFrame:
    """Return skips of 40 readers and 150 words, whose logits vary so much between readers."""
    x = np.tile(rng.normal(size=150), 40)
    own = np.repeat(rng.normal(0, reader, 40), 150)
    y = rng.binomial(1, expit(-0.3 + own + slope * x))
    return pd.DataFrame({"y": y, "x": x, "reader": np.repeat(np.arange(40), 150).astype(str)})


def test_the_effect_does_not_hang_on_how_much_readers_differ() -> None:
    """Slopes of populations with one marginal effect differ by a third; their marginal effects do not."""
    rng = np.random.default_rng(5)
    found = {}
    for reader, slope in ((0.1, 0.6), (1.5, 0.815)):  # chosen so that the mean over readers falls alike
        words = crossed(reader, slope, rng)
        fitted = fit(words, Glm("y", "bernoulli", ("x",), ("reader",)), engine="laplace")
        grid = pd.DataFrame({"x": np.linspace(-2, 2, 41)})
        found[reader] = fitted.flat("x").mean(), marginal_effects(fitted, grid)["x"].mean()
    assert found[1.5][0] / found[0.1][0] > 1.2
    assert found[1.5][1] == pytest.approx(found[0.1][1], rel=0.12)


def test_a_quick_fit_of_counts_has_the_effect_the_words_were_made_with() -> None:
    rng = np.random.default_rng(8)
    x, u = rng.normal(size=6000), np.repeat(rng.normal(0, 0.4, 60), 100)
    words = pd.DataFrame({"y": rng.poisson(np.exp(0.1 + 0.25 * x + u)), "x": x})
    words["reader"] = np.repeat(np.arange(60), 100).astype(str)
    drawn = fit(
        words, Glm("y", "poisson", ("x",), ("reader",)), engine="laplace", sampling=Sampling(draws=500)
    )
    found = marginal_effects(drawn, words)["x"]
    truth = 0.25 * np.exp(0.1 + 0.25 * x + 0.4**2 / 2).mean()
    assert abs(found.mean() - truth) < 3 * found.std()

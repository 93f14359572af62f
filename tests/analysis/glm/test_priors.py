from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from scandl.errors import ScandlError
from scandl_analysis.glm.design import build_design
from scandl_analysis.glm.fit import fit
from scandl_analysis.glm.priors import Prior, brms_location_scale, read_prior, resolve
from scandl_analysis.glm.spec import Family, Glm, Sampling

Made = Callable[..., pd.DataFrame]

PRIORS = pytest.mark.parametrize(
    ("prior", "frozen"),
    [
        (Prior("Normal", {"mu": 0.5, "sigma": 2.0}), stats.norm(0.5, 2.0)),
        (Prior("HalfNormal", {"sigma": 2.0}), stats.halfnorm(0, 2.0)),
        (Prior("StudentT", {"nu": 3, "mu": -1.0, "sigma": 2.5}), stats.t(3, -1.0, 2.5)),
        (Prior("HalfStudentT", {"nu": 3, "sigma": 2.5}), stats.t(3, 0, 2.5)),
        (Prior("HalfCauchy", {"beta": 1.5}), stats.halfcauchy(0, 1.5)),
        (Prior("InverseGamma", {"alpha": 0.4, "beta": 0.3}), stats.invgamma(0.4, scale=0.3)),
    ],
)


@PRIORS
def test_densities_and_slopes_agree_with_scipy(prior: Prior, frozen: stats.rv_continuous) -> None:
    at = np.array([0.2, 1.0, 3.5])
    values = [prior.slope(x)[0] for x in at]
    np.testing.assert_allclose(np.diff(values), np.diff(frozen.logpdf(at)))
    numeric = (frozen.logpdf(at + 1e-6) - frozen.logpdf(at - 1e-6)) / 2e-6
    np.testing.assert_allclose([prior.slope(x)[1] for x in at], numeric, rtol=1e-5)
    assert all(prior.slope(x)[2] > 0 for x in at)


@PRIORS
def test_draws_have_the_distribution_scipy_says(prior: Prior, frozen: stats.rv_continuous) -> None:
    drawn = prior.draw(np.random.default_rng(1), 4000)
    if prior.name == "HalfStudentT":  # scipy has no half t: signs are given back at random
        drawn *= np.random.default_rng(2).choice([-1, 1], 4000)
    assert stats.kstest(drawn, frozen.cdf).pvalue > 0.001


@pytest.mark.parametrize(
    ("counts", "location", "scale"),
    [
        ([1] * 6 + [0] * 4, 0.0, 2.5),  # median 1
        ([0] * 6 + [1] * 4, -2.3, 2.5),  # median 0: log(0.1)
        ([0] * 5 + [1] * 5, -1.2, 2.5),  # half and half: MAD 1.7 stays below the least scale
        ([0] * 4 + [1] * 2 + [50] * 4, 0.0, 3.4),  # MAD log(10) · 1.4826
    ],
)
def test_brms_location_and_scale(counts: list[int], location: float, scale: float) -> None:
    assert brms_location_scale(np.array(counts), log_link=True) == (location, scale)


def test_brms_set(made_words: Made) -> None:
    glm = Glm("y", "bernoulli", groups=("reader_id",))
    design = build_design(made_words(), glm)
    assert resolve("brms", glm, design).table(glm, design) == {
        "Intercept (centred)": "StudentT(nu=3, mu=0, sigma=2.5)",
        "word_length": "Flat()",
        "frequency": "Flat()",
        "surprisal": "Flat()",
        "sd(reader_id)": "HalfStudentT(nu=3, sigma=2.5)",
    }


def test_unknown_set_is_named(made_words: Made) -> None:
    glm = Glm("y", "bernoulli")
    with pytest.raises(ScandlError, match="no prior set 'brsm'; did you mean 'brms'"):
        resolve("brsm", glm, build_design(made_words(), glm))


@pytest.mark.slow
@pytest.mark.parametrize("family", ["bernoulli", "poisson"])
@pytest.mark.parametrize("by", [None, "source"])
@pytest.mark.filterwarnings("ignore")
def test_bambi_set_is_what_bambi_chooses(made_words: Made, family: Family, by: str | None) -> None:
    bambi = pytest.importorskip("bambi")
    frame = pd.concat([made_words(family), made_words(family, seed=1, n_own=1).assign(source="swift")])
    glm = Glm("y", family, groups=("reader_id",), by=by)
    design = build_design(frame, glm)
    ours = resolve("bambi", glm, design)
    data = frame.assign(source=pd.Categorical(frame["source"], ["human", "swift"]))
    model = bambi.Model(glm.formula, data, family=family)
    model.build()
    component = model.response_component.terms if not hasattr(model, "components") else model.components
    terms = component[model.family.likelihood.parent].terms
    assert ours.intercept.values["sigma"] == pytest.approx(float(terms["Intercept"].prior.args["sigma"]))
    for name, prior in zip(design.terms, ours.slopes, strict=True):
        theirs = terms[name.replace("[swift]", "")].prior.args["sigma"]
        assert prior.values["sigma"] == pytest.approx(float(np.ravel(theirs)[0]))
    theirs = terms["1|reader_id"].prior.args["sigma"].args["sigma"]
    assert ours.deviations[0].values["sigma"] == pytest.approx(float(theirs))


def test_own_priors_stand_in_their_places(made_words: Callable[..., pd.DataFrame]) -> None:
    frame = made_words()
    glm = Glm("y", "bernoulli", ("word_length", "surprisal"), ("reader_id",))
    said = [
        "word_length ~ normal(0.5, 0.001)",
        "sd(reader_id) ~ student_t(3, 0, 0.5)",
        "Intercept ~ normal(0, 1)",
    ]
    own = dict(map(read_prior, said))
    fitted = fit(frame, glm, sampling=Sampling(draws=200, chains=2), own_priors=own)
    assert fitted.prior_table == {
        "Intercept (centred)": "Normal(mu=0, sigma=1)",
        "word_length": "Normal(mu=0.5, sigma=0.001)",
        "surprisal": "Flat()",
        "sd(reader_id)": "HalfStudentT(nu=3, sigma=0.5)",
    }
    assert fitted.priors == "brms and 3 of your own"
    assert fitted.flat("word_length").mean() == pytest.approx(
        0.5, abs=0.002
    )  # so narrow that data do not matter


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "word_lenght ~ normal(0, 1)",
            "no parameter 'word_lenght' to give a prior; did you mean 'word_length'?",
        ),
        (
            "word_length ~ normal(0)",
            "expected 'PARAMETER ~ DISTRIBUTION', one of normal(mu, sigma), student_t",
        ),
        ("word_length ~ normal(0, -1)", "--prior 'word_length ~ normal(0, -1)': expected"),
        ("normal(0, 1)", "--prior 'normal(0, 1)': expected"),
        ("sd(reader_id) ~ normal(1, 1)", "expected 0 as the centre of a prior of a deviation"),
    ],
)
def test_priors_that_cannot_be(text: str, message: str, made_words: Callable[..., pd.DataFrame]) -> None:
    glm = Glm("y", "bernoulli", ("word_length",), ("reader_id",))
    with pytest.raises(ScandlError) as caught:
        fit(made_words(), glm, sampling=Sampling(draws=20), own_priors=dict([read_prior(text)]))
    assert message in str(caught.value)

"""Crossed designs with slopes, and families of times: the posterior is the one bambi's model has."""

from __future__ import annotations

from collections.abc import Callable
from functools import partialmethod

import numpy as np
import pandas as pd
import pytest

from scandl_analysis.effects.model_checks import replicates
from scandl_analysis.glm.design import build_design
from scandl_analysis.glm.diagnostics import diagnose, summarise
from scandl_analysis.glm.fit import fit
from scandl_analysis.glm.posterior import Posterior
from scandl_analysis.glm.priors import resolve
from scandl_analysis.glm.spec import SHAPE_NAMES, Family, Fit, Glm, Problem, Sampling, Slope

Made = Callable[..., pd.DataFrame]
Agree = Callable[..., None]
FAMILIES: tuple[Family, ...] = (
    "bernoulli",
    "poisson",
    "negativebinomial",
    "conwaymaxwell",
    "gaussian",
    "lognormal",
)
GROUPS = ("reader_id", "sentence_id", "word_token")
SLOPES = tuple(Slope(name, "reader_id") for name in ("word_length", "frequency", "surprisal"))

pytest.importorskip("nutpie", reason="scandl[analysis] is not installed")


def crossed(family: Family) -> Glm:
    return Glm("y", family, groups=GROUPS, slopes=SLOPES)


def crossed_words(made_words: Made, family: Family, **changes: float) -> pd.DataFrame:
    chosen = {"sd_sentence": 0.3, "sd_token": 0.4, "sd_slope": 0.3, "intercept": 0.3, "shape": 0.8}
    return made_words(family, **{**chosen, **changes})


@pytest.mark.parametrize("family", FAMILIES)
def test_finds_what_the_words_were_made_with(made_words: Made, family: Family) -> None:
    frame = crossed_words(made_words, family, n_readers=20, n_shared=12, n_own=0)
    found = fit(frame, crossed(family), sampling=Sampling(draws=150, patience=1))
    known = summarise(found)
    truth = {
        "word_length": -0.6,
        "frequency": 0.2,
        "surprisal": -0.3,
        "1|word_token_sigma": 0.4,
        "surprisal|reader_id_sigma": 0.3,
        "frequency|reader_id_sigma": 0.3,
    }
    if family in SHAPE_NAMES:
        truth[SHAPE_NAMES[family]] = 0.8
    for name, value in truth.items():
        assert abs(known[name].mean - value) < 3.5 * known[name].sd, name
    assert found.draws["surprisal|reader_id"].shape == (4, 150, 20)
    assert diagnose(found).divergences == 0
    drawn = next(replicates(found, frame, seed=1, n=40))
    assert drawn.mean() == pytest.approx(frame["y"].mean(), rel=0.1)


def test_independent_of_the_order_of_rows_and_of_merging(made_words: Made) -> None:
    frame = crossed_words(made_words, "bernoulli", n_readers=6)
    glm = crossed("bernoulli")
    draws = [
        fit(each, glm, engine="laplace", sampling=Sampling(draws=50), aggregate=on).draws["surprisal"]
        for each, on in ((frame, True), (frame.sample(frac=1, random_state=1), True), (frame, False))
    ]
    np.testing.assert_allclose(draws[1], draws[0], atol=1e-3)
    np.testing.assert_allclose(draws[2], draws[0], atol=1e-3)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("priors", ["brms", "bambi", "weak"])
@pytest.mark.parametrize("family", FAMILIES)
def test_density_is_the_one_bambi_builds(made_words: Made, family: Family, priors: str) -> None:
    """Differences of log density between points are the same as of the PyMC model, to rounding."""
    pytest.importorskip("bambi")
    from scandl_analysis.glm.reference import bambi_model

    frame, glm = crossed_words(made_words, family, n_readers=4), crossed(family)
    design = build_design(frame, glm)
    resolved = resolve(priors, glm, design)
    posterior = Posterior(glm, design, resolved)
    model = bambi_model(Problem(glm, frame, design, resolved), noncentered=False).backend.model
    log_p = model.compile_logp(mode="FAST_COMPILE")
    rng = np.random.default_rng(1)
    ours, theirs = [], []
    for _ in range(3):
        hyper = rng.normal(-0.5, 0.3, posterior.n_hyper)
        effects = rng.normal(0, 0.3, posterior.n_effects)
        point = {"Intercept": effects[0]} | dict(zip(glm.predictors, effects[1:4], strict=True))
        place = 4
        for k, group in enumerate(design.groups):
            point[group.name] = effects[place : place + len(group.levels)]
            point[f"{group.name}_sigma_log__"] = hyper[k]
            place += len(group.levels)
        if family in SHAPE_NAMES:
            point[f"{SHAPE_NAMES[family]}_log__"] = hyper[-1]
        ours.append(posterior.value_and_gradient(hyper, effects)[0])
        theirs.append(float(log_p(point)))
    np.testing.assert_allclose(np.diff(ours), np.diff(theirs), rtol=1e-8)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("family", FAMILIES)
def test_agrees_with_a_long_run_of_bambi(
    made_words: Made, assert_agree: Agree, monkeypatch: pytest.MonkeyPatch, family: Family
) -> None:
    bambi = pytest.importorskip("bambi")
    # With the steps nutpie takes by default a chain of the reference stays in a tail now and then.
    monkeypatch.setattr(bambi.Model, "fit", partialmethod(bambi.Model.fit, target_accept=0.95))
    frame = crossed_words(made_words, family, n_readers=12, n_shared=8, n_own=2)
    reference = fit(frame, crossed(family), engine="nutpie", sampling=Sampling(draws=12000, tune=2000))
    assert_agree(fit(frame, crossed(family), sampling=Sampling(draws=12000)), reference, limit=4.0)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("family", ["gaussian", "lognormal"])
def test_times_agree_with_a_long_run_of_pymc(made_words: Made, assert_agree: Agree, family: Family) -> None:
    pytest.importorskip("bambi")
    frame = made_words(family, n_readers=24, n_own=29, n_shared=24, shape=0.5)
    glm = Glm("y", family, groups=("reader_id",))
    reference: Fit = fit(frame, glm, engine="pymc", sampling=Sampling(draws=3000, tune=1000))
    assert_agree(fit(frame, glm, sampling=Sampling(draws=2500)), reference)

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from scandl_analysis.glm.design import build_design
from scandl_analysis.glm.fit import fit
from scandl_analysis.glm.posterior import Posterior
from scandl_analysis.glm.priors import resolve
from scandl_analysis.glm.reference import bambi_model, correlated_model
from scandl_analysis.glm.spec import Family, Glm, Problem, Sampling, Slope

Made = Callable[..., pd.DataFrame]
Agree = Callable[..., None]
SHORT = Sampling(draws=200, seed=2, patience=1)

pytest.importorskip("nutpie", reason="scandl[analysis] is not installed")


@pytest.mark.filterwarnings("ignore")
def test_every_level_of_a_factor_comes_back_from_bambi(made_words: Made) -> None:
    pytest.importorskip("bambi")
    others = [made_words(seed=k, intercept=k).assign(source=f"m{k}") for k in (2, 1)]
    frame = pd.concat([made_words(), *others], ignore_index=True)
    glm = Glm("y", "bernoulli", ("word_length",), by="source")
    theirs, ours = (
        fit(frame, glm, engine=engine, sampling=Sampling(draws=200, tune=200)) for engine in ("nutpie", "hmc")
    )
    assert list(theirs.draws) == list(ours.draws)
    for name, draws in ours.draws.items():  # levels m2 and m1 differ by many standard deviations
        assert theirs.draws[name].mean() == pytest.approx(draws.mean(), abs=draws.std() / 2), name


LONG: list[tuple[Family, tuple[str, ...], str | None]] = [
    ("bernoulli", ("reader_id",), None),
    ("poisson", ("reader_id",), None),
    ("poisson", (), None),
    ("negativebinomial", ("reader_id",), None),
    ("bernoulli", ("reader_id", "sentence_id"), "source"),
]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("family", "groups", "by"), LONG)
def test_agrees_with_the_model_that_bambi_builds(
    made_words: Made, assert_agree: Agree, family: Family, groups: tuple[str, ...], by: str | None
) -> None:
    pytest.importorskip("bambi")
    frame = made_words(
        family, n_readers=24, n_own=29, n_shared=24, sd_sentence=0.3 * ("sentence_id" in groups)
    )
    if by is not None:
        other = made_words(family, n_readers=8, slopes=(0.1, 0.0, 0.2), seed=5)
        other["reader_id"] = "m" + other["reader_id"]
        frame = pd.concat([frame, other.assign(source="swift")])
    assert len(frame) > 10_000
    glm = Glm("y", family, groups=groups, by=by)
    reference = fit(frame, glm, engine="pymc", sampling=Sampling(draws=3000, tune=1000))
    for aggregate in (True, False):
        ours = fit(frame, glm, sampling=Sampling(draws=2500), aggregate=aggregate)
        assert_agree(ours, reference)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("family", ["bernoulli", "poisson"])
@pytest.mark.parametrize("priors", ["brms", "bambi", "weak"])
def test_density_is_the_one_bambi_builds(made_words: Made, family: Family, priors: str) -> None:
    """Differences of log density between points are the same as of the PyMC model, to rounding."""
    pytest.importorskip("bambi")
    frame = made_words(family, n_readers=4)
    glm = Glm("y", family, groups=("reader_id",))
    design = build_design(frame, glm)
    resolved = resolve(priors, glm, design)
    posterior = Posterior(glm, design, resolved)
    model = bambi_model(Problem(glm, frame, design, resolved), noncentered=False).backend.model
    log_p = model.compile_logp(mode="FAST_COMPILE")
    rng = np.random.default_rng(1)
    ours, theirs = [], []
    for _ in range(3):
        h, effects = rng.normal(-0.5, 0.3, 1), rng.normal(0, 0.4, 8)
        point = {"Intercept": effects[0], "1|reader_id": effects[4:], "1|reader_id_sigma_log__": h[0]}
        point |= dict(zip(glm.predictors, effects[1:4], strict=True))
        ours.append(posterior.value_and_gradient(h, effects)[0])
        theirs.append(float(log_p(point)))
    np.testing.assert_allclose(np.diff(ours), np.diff(theirs), rtol=1e-8)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("family", ["bernoulli", "poisson"])
def test_few_readers_agree_with_the_non_centred_form(
    made_words: Made, assert_agree: Agree, family: Family
) -> None:
    """Against bambi's model in short steps: nutpie's usual ones diverge here too."""
    pytest.importorskip("bambi")
    import nutpie

    frame = made_words(family, n_readers=6, n_shared=10, n_own=0, n_words=11, sd=0.1)
    glm = Glm("y", family, groups=("reader_id",))
    design = build_design(frame, glm)
    model = bambi_model(Problem(glm, frame, design, resolve("brms", glm, design))).backend.model
    trace = nutpie.sample(
        nutpie.compile_pymc_model(model),
        draws=2500,
        tune=1000,
        chains=4,
        cores=1,
        seed=1,
        progress_bar=False,
        target_accept=0.99,
    )
    ours = fit(frame, glm, sampling=Sampling(draws=2500))
    names = (*glm.predictors, "1|reader_id_sigma", "1|reader_id")
    known = {name: trace.posterior[name].values for name in names}
    assert_agree(replace(ours, draws={name: ours.draws[name] for name in names}), replace(ours, draws=known))


@pytest.mark.filterwarnings("ignore")
def test_the_model_has_a_correlation_for_each_pair_of_terms(made_words: Made) -> None:
    """Built, not sampled: one row of the linear predictor for each word, LKJ correlations of readers."""
    pytest.importorskip("pymc")
    frame = made_words(n_readers=4)
    glm = Glm(
        "y",
        "bernoulli",
        ("word_length",),
        ("reader_id", "sentence_id"),
        slopes=(Slope("word_length", "reader_id"),),
        correlated=("reader_id",),
    )
    design = build_design(frame, glm, aggregate=False)
    model = correlated_model(Problem(glm, frame, design, resolve("brms", glm, design)))
    names = {variable.name for variable in (*model.free_RVs, *model.deterministics)}
    assert {"centred intercept", "word_length", "effects reader_id", "correlation reader_id"} <= names
    assert "correlation sentence_id" not in names
    point = model.initial_point()
    assert np.isfinite(model.compile_logp(mode="FAST_COMPILE")(point))

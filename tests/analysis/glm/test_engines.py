from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from scandl.errors import ScandlError
from scandl_analysis.glm.design import build_design
from scandl_analysis.glm.diagnostics import WORST_RHAT, convergence, diagnose, largest_rhat, summarise
from scandl_analysis.glm.engines.imh import accept
from scandl_analysis.glm.fit import Fit, Sampling, fit
from scandl_analysis.glm.spec import Family, Glm

Made = Callable[..., pd.DataFrame]
Agree = Callable[..., None]
SHORT = Sampling(draws=200, seed=2, patience=1)

pytest.importorskip("nutpie", reason="scandl[analysis] is not installed")


def test_nuts_and_imh_draw_from_one_posterior(made_words: Made, assert_agree: Agree) -> None:
    frame = made_words(n_readers=20)  # imh often hands fewer readers over to nuts
    glm = Glm("y", "bernoulli", groups=("reader_id",))
    nuts = fit(frame, glm, sampling=SHORT)
    imh = fit(frame, glm, engine="imh", sampling=Sampling(draws=1000))
    assert (nuts.engine, imh.engine) == ("nuts", "imh")
    assert_agree(nuts, imh)
    assert nuts.draws["1|reader_id"].shape == (4, 200, 20)
    np.testing.assert_allclose(
        nuts.draws["1|reader_id"].mean((0, 1)), imh.draws["1|reader_id"].mean((0, 1)), atol=0.1
    )
    assert not [line for line in diagnose(imh).warnings if "R-hat" in line]


def test_aggregation_changes_nothing(made_words: Made, assert_agree: Agree) -> None:
    frame = pd.concat([made_words("poisson", n_readers=5)] * 2)
    glm = Glm("y", "poisson", groups=("reader_id",))
    on, off = (fit(frame, glm, sampling=SHORT, aggregate=aggregate) for aggregate in (True, False))
    assert_agree(on, off)


def test_same_seed_same_draws(made_words: Made) -> None:
    frame, glm = made_words(), Glm("y", "bernoulli")
    draws = [
        fit(frame, glm, sampling=Sampling(draws=50, seed=seed, patience=1)).draws["word_length"]
        for seed in (1, 1, 2)
    ]
    assert np.array_equal(draws[0], draws[1])
    assert not np.array_equal(draws[0], draws[2])


def test_chains_that_disagree_are_made_longer(made_words: Made) -> None:
    """A hundred draws a chain disagree by chance; of longer chains as many are kept."""
    frame, glm = made_words(n_readers=20), Glm("y", "bernoulli", groups=("reader_id",))

    def drawn(draws: int, patience: int) -> Fit:
        return fit(frame, glm, sampling=Sampling(draws=draws, seed=2, patience=patience))

    short, patient, long = drawn(100, 1), drawn(100, 5), drawn(400, 1)
    assert largest_rhat(short.draws) > WORST_RHAT
    assert (short.note, patient.note) == ("", "one draw in 4 kept of 400 a chain")
    assert largest_rhat(patient.draws) == max(convergence(c)[0] for c in scalars_and_levels(patient))
    for name, draws in patient.draws.items():
        assert draws.shape[:2] == (4, 100)
        assert np.array_equal(draws, long.draws[name][:, 3::4])
    assert np.array_equal(patient.stats["energy"], long.stats["energy"])  # every transition counts


def scalars_and_levels(found: Fit) -> list[np.ndarray]:
    flat = [draws.reshape(*draws.shape[:2], -1) for draws in found.draws.values()]
    return [each[..., k] for each in flat for k in range(each.shape[2])]


def test_chains_that_agree_are_left_alone(made_words: Made) -> None:
    found = fit(made_words(), Glm("y", "bernoulli"), sampling=Sampling(draws=1000))
    assert largest_rhat(found.draws) <= WORST_RHAT
    assert found.note == ""
    assert found.stats["energy"].shape == (4, 1000)


@pytest.mark.parametrize("spoil", [lambda z: z[:, :-1], lambda z: np.where(z < 0, np.nan, z)])
def test_what_an_interrupted_sampler_returns_is_not_a_fit(
    made_words: Made, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[np.ndarray], np.ndarray]
) -> None:
    """Ctrl-C makes the library return the draws it had, padded or cut off."""

    def interrupted(*_: object) -> SimpleNamespace:
        z = spoil(np.random.default_rng(1).normal(size=(4, 50, 4)))
        return SimpleNamespace(posterior={"z": SimpleNamespace(values=z)}, sample_stats={})

    monkeypatch.setattr("scandl_analysis.glm.engines.nuts._trace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        fit(made_words(), Glm("y", "bernoulli"), sampling=Sampling(draws=50))


@pytest.mark.filterwarnings("ignore")
def test_every_level_of_a_factor_comes_back_from_bambi(made_words: Made) -> None:
    pytest.importorskip("bambi")
    others = [made_words(seed=k, intercept=k).assign(source=f"m{k}") for k in (2, 1)]
    frame = pd.concat([made_words(), *others], ignore_index=True)
    glm = Glm("y", "bernoulli", ("word_length",), by="source")
    theirs, ours = (
        fit(frame, glm, engine=engine, sampling=Sampling(draws=200, tune=200))
        for engine in ("nutpie", "nuts")
    )
    assert list(theirs.draws) == list(ours.draws)
    for name, draws in ours.draws.items():  # levels m2 and m1 differ by many standard deviations
        assert theirs.draws[name].mean() == pytest.approx(draws.mean(), abs=draws.std() / 2), name


def test_intercept_belongs_to_the_predictors_as_they_came(made_words: Made) -> None:
    frame, glm = made_words(slopes=(0.5,)), Glm("y", "bernoulli", ("word_length",))
    moved = frame.assign(word_length=frame["word_length"] + 10)
    here, there = (fit(each, glm, engine="mle").gaussian for each in (frame, moved))
    assert there["word_length"] == pytest.approx(here["word_length"])
    assert there["Intercept"][0] == pytest.approx(here["Intercept"][0] - 10 * here["word_length"][0])


def test_quick_looks_are_labelled(made_words: Made) -> None:
    frame, glm = made_words(), Glm("y", "bernoulli", groups=("reader_id",))
    for engine in ("mle", "mle-robust", "laplace"):
        found = fit(frame, glm, engine=engine)
        assert found.note.startswith("quick look")
        assert diagnose(found).warnings == []
        assert np.isnan(summarise(found)["surprisal"].rhat)


def test_imh_declines_a_poor_approximation(made_words: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scandl_analysis.glm.engines.imh.pareto_k", lambda ratios: 0.83)
    found = fit(made_words(), Glm("y", "bernoulli"), engine="imh", sampling=Sampling(draws=50, patience=1))
    assert (found.engine, found.note) == ("nuts", "imh declined: k-hat 0.83")


def test_accepting_leaves_the_target_unchanged() -> None:
    """Proposals from a uniform distribution, target proportional to 1, 2, 3 … on ten cells."""
    rng = np.random.default_rng(1)
    proposed = rng.integers(0, 10, 40_000)
    where = accept(np.log(proposed + 1.0), rng)
    share = np.bincount(proposed[where], minlength=10) / len(where)
    np.testing.assert_allclose(share, np.arange(1, 11) / 55, atol=0.01)


def test_unknown_engine_is_named(made_words: Made) -> None:
    with pytest.raises(ScandlError, match="no engine 'nut'; did you mean 'nuts'"):
        fit(made_words(), Glm("y", "bernoulli"), engine="nut")


def test_negative_binomial_recovers_its_shape(made_words: Made) -> None:
    frame = made_words("negativebinomial", slopes=(0.3,), n_own=6, n_readers=10, shape=1.0)
    found = fit(frame, Glm("y", "negativebinomial", ("word_length",), ("reader_id",)), sampling=SHORT)
    shape = summarise(found)["alpha"]
    assert shape.ci_low < 1.0 < shape.ci_high


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
    from scandl_analysis.glm.engines.reference import bambi_model
    from scandl_analysis.glm.fit import Task
    from scandl_analysis.glm.posterior import Posterior
    from scandl_analysis.glm.priors import resolve

    frame = made_words(family, n_readers=4)
    glm = Glm("y", family, groups=("reader_id",))
    design = build_design(frame, glm)
    resolved = resolve(priors, glm, design)
    posterior = Posterior(glm, design, resolved)
    model = bambi_model(Task(glm, frame, design, resolved), noncentered=False).backend.model
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


def test_imh_declines_when_a_chain_stands_still(made_words: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scandl_analysis.glm.engines.imh.longest_stay", lambda kept: 150)
    found = fit(made_words(), Glm("y", "bernoulli"), engine="imh", sampling=Sampling(draws=50, patience=1))
    assert (found.engine, found.note) == ("nuts", "imh declined: stood still 150 draws")


@pytest.mark.parametrize("family", ["bernoulli", "poisson"])
def test_few_readers_make_no_funnel(made_words: Made, family: Family) -> None:
    frame = made_words(family, n_readers=6, n_shared=10, n_own=0, n_words=11, sd=0.1)
    found = diagnose(fit(frame, Glm("y", family, groups=("reader_id",)), sampling=Sampling(seed=3)))
    assert found.divergences is not None
    assert found.divergences <= 2  # 30 to 200 where an effect's spread does not follow σ to 0
    assert [line for line in found.warnings if "divergent" not in line] == []


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("family", ["bernoulli", "poisson"])
def test_few_readers_agree_with_the_non_centred_form(
    made_words: Made, assert_agree: Agree, family: Family
) -> None:
    """Against bambi's model in short steps: nutpie's usual ones diverge here too."""
    pytest.importorskip("bambi")
    import nutpie

    from scandl_analysis.glm.engines.reference import bambi_model
    from scandl_analysis.glm.fit import Task
    from scandl_analysis.glm.priors import resolve

    frame = made_words(family, n_readers=6, n_shared=10, n_own=0, n_words=11, sd=0.1)
    glm = Glm("y", family, groups=("reader_id",))
    design = build_design(frame, glm)
    model = bambi_model(Task(glm, frame, design, resolve("brms", glm, design))).backend.model
    trace = nutpie.sample(
        nutpie.compile_pymc_model(model), draws=2500, tune=1000, chains=4, cores=1, seed=1,
        progress_bar=False, target_accept=0.99,
    )  # fmt: skip
    ours = fit(frame, glm, sampling=Sampling(draws=2500))
    names = (*glm.predictors, "1|reader_id_sigma", "1|reader_id")
    known = {name: trace.posterior[name].values for name in names}
    assert_agree(replace(ours, draws={name: ours.draws[name] for name in names}), replace(ours, draws=known))


def test_an_engine_that_is_not_installed_is_named(made_words: Made) -> None:
    if find_spec("numpyro") is not None:
        pytest.skip("numpyro is installed")
    with pytest.raises(ScandlError) as caught:
        fit(made_words(), Glm("y", "bernoulli"), engine="numpyro")
    assert str(caught.value) == "engine numpyro needs numpyro, which is not installed: pip install numpyro"

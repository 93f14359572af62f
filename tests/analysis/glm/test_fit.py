"""What engines need: asked for before the work, and named with what brings it."""

from __future__ import annotations

import importlib.util
import pkgutil
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from scandl.errors import ScandlError
from scandl_analysis import glm as room
from scandl_analysis.glm.design import build_design
from scandl_analysis.glm.diagnostics import WORST_RHAT, convergence, diagnose, largest_rhat, summarise
from scandl_analysis.glm.fit import ACCEPT, ENGINES, Chains, Engine, check_engine, fit
from scandl_analysis.glm.laplace import Laplace, approximate
from scandl_analysis.glm.posterior import Posterior
from scandl_analysis.glm.priors import resolve
from scandl_analysis.glm.spec import Family, Fit, Glm, Problem, Sampling, Slope, make_fit, named_draws

Made = Callable[..., pd.DataFrame]
Agree = Callable[..., None]
SHORT = Sampling(draws=200, seed=2, patience=1)

pytest.importorskip("nutpie", reason="scandl[analysis] is not installed")


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


def test_unknown_engine_is_named(made_words: Made) -> None:
    with pytest.raises(ScandlError, match="no engine 'nutpy'; did you mean 'nutpie'"):
        fit(made_words(), Glm("y", "bernoulli"), engine="nutpy")


@pytest.mark.parametrize("spoil", [lambda z: z[:, :-1], lambda z: np.where(z < 0, np.nan, z)])
def test_what_an_interrupted_sampler_returns_is_not_a_fit(
    made_words: Made, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[np.ndarray], np.ndarray]
) -> None:
    """Ctrl-C makes a library return the draws it had, cut off or padded."""

    def interrupted(problem: Problem, sampling: Sampling) -> Fit:
        return make_fit(problem, "nutpie", {"y": spoil(np.random.default_rng(1).normal(size=(4, 50)))})

    monkeypatch.setitem(ENGINES._items, "nutpie", Engine(interrupted))
    with pytest.raises(KeyboardInterrupt):
        fit(made_words(), Glm("y", "bernoulli"), engine="nutpie", sampling=Sampling(draws=50))


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing of the extra be found."""
    found = importlib.util.find_spec
    absent = {"arviz_stats", "nutpie", "bambi"}
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *more: None if name in absent else found(name, *more)
    )


def test_a_quick_look_needs_nothing(bare: None) -> None:
    check_engine("laplace")


@pytest.mark.parametrize("engine", ["hmc", "nutpie", "pymc"])
def test_samplers_name_the_extra(bare: None, engine: str) -> None:
    with pytest.raises(ScandlError, match="analysis"):
        check_engine(engine)


def test_with_everything_installed_every_engine_may_start() -> None:
    pytest.importorskip("nutpie")
    pytest.importorskip("bambi")
    for engine in ENGINES:
        check_engine(engine)


Words = Callable[..., pd.DataFrame]
Agree = Callable[..., None]
GROUPS = ("reader_id", "sentence_id", "word_token")
SLOPES = (Slope("surprisal", "reader_id"),)

pytest.importorskip("arviz_stats", reason="scandl[analysis] is not installed")


def approximation(frame: pd.DataFrame, glm: Glm) -> Laplace:
    """Return the normal approximation of the posterior with the priors of brms."""
    design = build_design(frame, glm)
    return approximate(Posterior(glm, design, resolve("brms", glm, design)))


@pytest.mark.parametrize(
    "family", ["bernoulli", "poisson", "negativebinomial", "conwaymaxwell", "gaussian", "lognormal"]
)
def test_hmc_and_another_sampler_draw_from_one_posterior(
    made_words: Words, assert_agree: Agree, family: Family
) -> None:
    """Against the No-U-Turn sampler of nutpie on the same density."""
    pytest.importorskip("nutpie")
    frame = made_words(family, n_readers=8, n_shared=4, n_own=1, sd_token=0.3, shape=0.8)
    glm = Glm("y", family, groups=GROUPS, slopes=SLOPES)
    hmc = fit(frame, glm, engine="hmc", sampling=Sampling(draws=1000, patience=1))
    assert_agree(hmc, replace(hmc, draws=by_nuts(frame, glm)), limit=4.5)
    assert diagnose(hmc).divergences == 0


def by_nuts(frame: pd.DataFrame, glm: Glm, draws: int = 500) -> dict[str, np.ndarray]:
    """Return draws of nutpie from the whitened density."""
    import nutpie
    from nutpie.compiled_pyfunc import from_pyfunc

    design = build_design(frame, glm)
    problem = Problem(glm, frame, design, resolve("brms", glm, design))
    laplace, n = approximation(frame, glm), approximation(frame, glm).n_dim

    def log_density(z: np.ndarray) -> tuple[float, np.ndarray]:
        with np.errstate(all="ignore"):
            values, gradients = laplace.values_and_gradients(z[None])
        return float(values[0]), gradients[0]

    model = from_pyfunc(
        n,
        lambda: log_density,
        lambda *_: lambda z: {"z": z},
        [np.dtype(np.float64)],
        [(n,)],
        ["z"],
        make_initial_point_fn=lambda seed: np.random.default_rng(seed).normal(size=n),
    )
    trace = nutpie.sample(
        model, draws=draws, tune=100, chains=4, cores=1, seed=1, progress_bar=False, target_accept=0.9
    )
    return named_draws(problem, *laplace.parameters(trace.posterior["z"].values))


def test_a_normal_density_is_met_by_turns_alone(made_words: Words) -> None:
    """Without group terms the posterior of normal outcomes is nearly the approximation: no kick, no error."""
    frame, glm = made_words("gaussian", n_readers=12), Glm("y", "gaussian")
    chains = Chains(approximation(frame, glm), 4, np.random.default_rng(1))
    chains.tune(60)
    assert chains.n_steps == 2
    assert np.mean([chains._move() for _ in range(50)]) > 0.98


def test_steps_are_as_many_as_the_acceptance_asks(made_words: Words) -> None:
    frame, glm = made_words(n_readers=8), Glm("y", "bernoulli", groups=GROUPS, slopes=SLOPES)
    chains = Chains(approximation(frame, glm), 4, np.random.default_rng(1))
    chains.tune(200)
    accepted = float(np.mean([chains._move() for _ in range(100)]))
    assert accepted > ACCEPT - 0.15
    if chains.n_steps > 2:
        chains.n_steps -= 1
        assert float(np.mean([chains._move() for _ in range(100)])) < accepted


def test_chains_that_disagree_are_made_longer(made_words: Words) -> None:
    """One draw in four is kept: those of chains four times as long."""
    frame, glm = made_words(n_readers=20), Glm("y", "bernoulli", groups=("reader_id",))
    short, patient, long = (
        fit(frame, glm, sampling=Sampling(draws=n, seed=2, patience=patience))
        for n, patience in ((50, 1), (50, 5), (200, 1))
    )
    assert largest_rhat(short.draws) > WORST_RHAT
    assert (short.note, patient.note) == ("", "one draw in 4 kept of 200 a chain")
    for name, kept in patient.draws.items():
        assert kept.shape[:2] == (4, 50)
        assert np.array_equal(kept, long.draws[name][:, 3::4])
    assert np.array_equal(patient.stats["energy"], long.stats["energy"])  # every transition counts
    assert patient.stats["energy"].shape == (4, 200)
    flat = [draws.reshape(4, 50, -1) for draws in patient.draws.values()]
    columns = [each[..., k] for each in flat for k in range(each.shape[2])]
    assert largest_rhat(patient.draws) == max(convergence(column)[0] for column in columns)


def test_chains_that_agree_are_left_alone(made_words: Words) -> None:
    found = fit(made_words(), Glm("y", "bernoulli"), sampling=Sampling(draws=1000))
    assert largest_rhat(found.draws) <= WORST_RHAT
    assert found.note == ""
    assert found.stats["energy"].shape == (4, 1000)


@pytest.mark.parametrize("family", ["bernoulli", "poisson"])
def test_few_readers_make_no_funnel(made_words: Words, family: Family) -> None:
    frame = made_words(family, n_readers=6, n_shared=10, n_own=0, n_words=11, sd=0.1)
    found = diagnose(fit(frame, Glm("y", family, groups=("reader_id",)), sampling=Sampling(seed=3)))
    assert found.divergences == 0
    assert found.warnings == []


def test_where_a_trajectory_left_the_posterior_steps_are_halved(
    made_words: Words, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until none does; draws by the longer steps are not kept."""
    frame, glm = made_words(n_readers=8), Glm("y", "bernoulli", groups=("reader_id",))
    move = Chains._move

    def lost_by_long_steps(self: Chains) -> np.ndarray:
        accepted = move(self)
        self.diverging[-1] = self.diverging[-1] | (self.n_steps < 7)
        return accepted

    sampling = Sampling(draws=30, patience=1)
    plain = fit(frame, glm, engine="hmc", sampling=sampling)
    monkeypatch.setattr(Chains, "_move", lost_by_long_steps)
    halved = fit(frame, glm, engine="hmc", sampling=sampling)
    steps, before = int(halved.stats["n_steps"][0, 0]), int(plain.stats["n_steps"][0, 0])
    assert before < 7 <= steps < 14
    assert steps % before == 0
    assert not halved.stats["diverging"].any()
    assert halved.stats["energy"].shape == halved.draws["Intercept"].shape == (4, 30)
    assert not np.array_equal(halved.draws["Intercept"], plain.draws["Intercept"])


def test_the_same_seed_gives_the_same_draws(made_words: Words) -> None:
    frame, glm = made_words(), Glm("y", "poisson", groups=("reader_id",))
    one, again, other = (
        fit(frame, glm, engine="hmc", sampling=Sampling(draws=20, seed=seed, patience=1))
        for seed in (1, 1, 2)
    )
    assert np.array_equal(one.draws["Intercept"], again.draws["Intercept"])
    assert not np.array_equal(one.draws["Intercept"], other.draws["Intercept"])


def test_a_quick_look_is_labelled(made_words: Words) -> None:
    frame, glm = made_words(), Glm("y", "bernoulli", groups=("reader_id",))
    found = fit(frame, glm, engine="laplace")
    assert found.note.startswith("quick look")
    assert diagnose(found).warnings == []
    assert np.isnan(summarise(found)["surprisal"].rhat)


def test_draws_have_the_means_and_deviations_of_the_approximation(made_words: Words) -> None:
    """Those of the mode and its curvature, worked out from the posterior itself."""
    frame, glm = made_words(), Glm("y", "bernoulli", ("word_length",))
    found = fit(frame, glm, engine="laplace", sampling=Sampling(draws=4000))
    expected = approximation(frame, glm)
    covariance = np.linalg.inv(expected.curvature.border)
    assert found.draws["word_length"].mean() == pytest.approx(expected.effects[1], abs=0.01)
    assert found.draws["word_length"].std() == pytest.approx(np.sqrt(covariance[1, 1]), rel=0.03)


@pytest.mark.parametrize("module", [module.name for module in pkgutil.iter_modules(room.__path__)])
def test_a_module_can_be_imported_whole(module: str) -> None:
    """In a notebook: ``from scandl_analysis.glm.spec import *``."""
    names: dict[str, object] = {}
    exec(f"from scandl_analysis.glm.{module} import *", names)
    own = [each for each in names.values() if getattr(each, "__module__", "").endswith(f"glm.{module}")]
    assert own

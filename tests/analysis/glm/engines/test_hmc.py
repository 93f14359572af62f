from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from scandl_analysis.glm.design import build_design
from scandl_analysis.glm.diagnostics import diagnose, summarise
from scandl_analysis.glm.engines.hmc import ACCEPT, Chains
from scandl_analysis.glm.fit import Fit, Sampling, fit
from scandl_analysis.glm.laplace import Laplace, approximate
from scandl_analysis.glm.posterior import Posterior
from scandl_analysis.glm.priors import resolve
from scandl_analysis.glm.spec import Family, Glm, Slope

Words = Callable[..., pd.DataFrame]
Agree = Callable[..., None]
GROUPS = ("reader_id", "sentence_id", "word_token")
SLOPES = (Slope("surprisal", "reader_id"),)

pytest.importorskip("arviz_stats", reason="scandl[analysis] is not installed")


def approximation(frame: pd.DataFrame, glm: Glm) -> Laplace:
    """Return the normal approximation of the posterior with the priors of brms."""
    design = build_design(frame, glm)
    return approximate(Posterior(glm, design, resolve("brms", glm, design)))


@pytest.mark.parametrize("family", ["bernoulli", "poisson", "negativebinomial", "gaussian", "lognormal"])
def test_hmc_and_nuts_draw_from_one_posterior(made_words: Words, assert_agree: Agree, family: Family) -> None:
    pytest.importorskip("nutpie")
    frame = made_words(family, n_readers=8, n_shared=4, n_own=1, sd_token=0.3, shape=0.8)
    glm = Glm("y", family, groups=GROUPS, slopes=SLOPES)
    hmc = fit(frame, glm, engine="hmc", sampling=Sampling(draws=1000, patience=1))
    nuts = fit(frame, glm, engine="nuts", sampling=Sampling(draws=500, patience=1))
    assert (hmc.engine, nuts.engine) == ("hmc", "nuts")
    assert_agree(hmc, nuts, limit=4.5)
    assert diagnose(hmc).divergences == 0


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


def test_chains_that_disagree_are_made_longer(made_longer: Callable[[str, int], Fit]) -> None:
    made_longer("hmc", 50)


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


def test_quick_looks_are_labelled(made_words: Words) -> None:
    frame, glm = made_words(), Glm("y", "bernoulli", groups=("reader_id",))
    for engine in ("mle", "mle-robust", "laplace"):
        found = fit(frame, glm, engine=engine)
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

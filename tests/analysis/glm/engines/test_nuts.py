from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from scandl_analysis.glm.design import build_design
from scandl_analysis.glm.diagnostics import WORST_RHAT, convergence, diagnose, largest_rhat
from scandl_analysis.glm.fit import Fit, Sampling, fit
from scandl_analysis.glm.spec import Family, Glm

Made = Callable[..., pd.DataFrame]
Agree = Callable[..., None]
SHORT = Sampling(draws=200, seed=2, patience=1)

pytest.importorskip("nutpie", reason="scandl[analysis] is not installed")


def test_chains_that_disagree_are_made_longer(made_longer: Callable[[str, int], Fit]) -> None:
    patient = made_longer("nuts", 100)
    assert largest_rhat(patient.draws) == max(convergence(c)[0] for c in scalars_and_levels(patient))


def scalars_and_levels(found: Fit) -> list[np.ndarray]:
    flat = [draws.reshape(*draws.shape[:2], -1) for draws in found.draws.values()]
    return [each[..., k] for each in flat for k in range(each.shape[2])]


def test_chains_that_agree_are_left_alone(made_words: Made) -> None:
    found = fit(made_words(), Glm("y", "bernoulli"), engine="nuts", sampling=Sampling(draws=1000))
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
        fit(made_words(), Glm("y", "bernoulli"), engine="nuts", sampling=Sampling(draws=50))


@pytest.mark.parametrize("family", ["bernoulli", "poisson"])
def test_few_readers_make_no_funnel(made_words: Made, family: Family) -> None:
    frame = made_words(family, n_readers=6, n_shared=10, n_own=0, n_words=11, sd=0.1)
    found = diagnose(
        fit(frame, Glm("y", family, groups=("reader_id",)), engine="nuts", sampling=Sampling(seed=3))
    )
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
        nutpie.compile_pymc_model(model),
        draws=2500,
        tune=1000,
        chains=4,
        cores=1,
        seed=1,
        progress_bar=False,
        target_accept=0.99,
    )
    ours = fit(frame, glm, engine="nuts", sampling=Sampling(draws=2500))
    names = (*glm.predictors, "1|reader_id_sigma", "1|reader_id")
    known = {name: trace.posterior[name].values for name in names}
    assert_agree(replace(ours, draws={name: ours.draws[name] for name in names}), replace(ours, draws=known))

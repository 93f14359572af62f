"""Simulation-based calibration (Talts et al., 2018): ranks of the truth among draws are uniform."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from scandl_analysis.glm.design import Design
from scandl_analysis.glm.fit import fit
from scandl_analysis.glm.priors import Prior, Priors
from scandl_analysis.glm.spec import Family, Glm, Sampling, Slope

N_REPLICATIONS = 120
N_RANKS = 99  # draws per replication that ranks are taken among
NAMES = ("Intercept", "word_length", "1|reader_id_sigma")


def truth_and_words(family: Family, rng: np.random.Generator) -> tuple[dict[str, float], pd.DataFrame]:
    """Draw parameters from the ``weak`` priors and words from the model."""
    truth = dict(zip(NAMES, (rng.normal(0, 1.5), rng.normal(0, 1), abs(rng.normal(0, 1))), strict=True))
    reader = np.repeat(np.arange(8), 25)
    x = rng.normal(size=len(reader))
    x -= x.mean()  # the prior is one of the centred intercept
    eta = truth["Intercept"] + truth["word_length"] * x + rng.normal(0, truth["1|reader_id_sigma"], 8)[reader]
    y = (
        rng.binomial(1, 1 / (1 + np.exp(-eta)))
        if family == "bernoulli"
        else rng.poisson(np.exp(np.minimum(eta, 6)))
    )
    return truth, pd.DataFrame({"word_length": x, "reader_id": reader.astype(str), "y": y})


@pytest.mark.slow
@pytest.mark.parametrize("family", ["bernoulli", "poisson"])
def test_ranks_are_uniform(family: Family) -> None:
    rng = np.random.default_rng(7)
    glm = Glm("y", family, ("word_length",), ("reader_id",))
    ranks: dict[str, list[int]] = {name: [] for name in NAMES}
    replication, thin = 0, 4
    while len(ranks["Intercept"]) < N_REPLICATIONS:
        replication += 1
        truth, words = truth_and_words(family, rng)
        if words["y"].nunique() == 1 or words["y"].max() > 200:
            continue  # refused by the design; rare, and independent of the engine
        sampling = Sampling(draws=(N_RANKS + 1) * thin // 4, chains=4, seed=replication, patience=1)
        found = fit(words, glm, priors="weak", sampling=sampling)
        for name in NAMES:
            thinned = found.flat(name)[::thin][:N_RANKS]
            ranks[name].append(int((thinned < truth[name]).sum()))
    for name, found_ranks in ranks.items():
        counts = np.histogram(found_ranks, bins=10, range=(0, N_RANKS + 1))[0]
        print(f"{family} {name}: {counts}, p = {stats.chisquare(counts).pvalue:.2f}")
        assert stats.chisquare(counts).pvalue > 1e-3, (name, counts)


CROSSED = (
    "Intercept",
    "word_length",
    "1|reader_id_sigma",
    "word_length|reader_id_sigma",
    "1|word_token_sigma",
)


def crossed_truth_and_words(rng: np.random.Generator) -> tuple[dict[str, float], pd.DataFrame]:
    """Draw parameters from the ``weak`` priors and words that every reader meets from the model."""
    values = (rng.normal(0, 1.5), rng.normal(0, 1), *np.abs(rng.normal(0, 1, 3)))
    truth = dict(zip(CROSSED, map(float, values), strict=True))
    reader, token = np.divmod(np.arange(10 * 20), 20)
    x = rng.normal(size=20)
    x -= x.mean()
    own = rng.normal(0, truth["word_length|reader_id_sigma"], 10)[reader]
    eta = truth["Intercept"] + (truth["word_length"] + own) * x[token]
    eta += rng.normal(0, truth["1|reader_id_sigma"], 10)[reader]
    eta += rng.normal(0, truth["1|word_token_sigma"], 20)[token]
    y = rng.binomial(1, 1 / (1 + np.exp(-eta)))
    columns = {"word_length": x[token], "reader_id": reader.astype(str), "word_token": token.astype(str)}
    return truth, pd.DataFrame(columns | {"y": y})


@pytest.mark.slow
def test_ranks_of_a_crossed_model_are_uniform() -> None:
    """Slopes of readers and intercepts of tokens, all with priors that the truth was drawn from."""
    pytest.importorskip("arviz_stats", reason="scandl[analysis] is not installed")
    rng = np.random.default_rng(11)
    slopes = (Slope("word_length", "reader_id"),)
    glm = Glm("y", "bernoulli", ("word_length",), ("reader_id", "word_token"), slopes=slopes)
    ranks: dict[str, list[int]] = {name: [] for name in CROSSED}
    replication, thin = 0, 8
    while len(ranks["Intercept"]) < N_REPLICATIONS:
        replication += 1
        truth, words = crossed_truth_and_words(rng)
        if words["y"].nunique() == 1:
            continue
        sampling = Sampling(draws=(N_RANKS + 1) * thin // 4, chains=4, seed=replication, patience=1)
        found = fit(words, glm, priors="weak", sampling=sampling)
        for name in CROSSED:
            ranks[name].append(int((found.flat(name)[::thin][:N_RANKS] < truth[name]).sum()))
    for name, found_ranks in ranks.items():
        counts = np.histogram(found_ranks, bins=10, range=(0, N_RANKS + 1))[0]
        print(f"crossed {name}: {counts}, p = {stats.chisquare(counts).pvalue:.2f}")
        assert stats.chisquare(counts).pvalue > 1e-3, (name, counts)


TIMED = (*NAMES, "sigma")


def fixed_priors(glm: Glm, design: Design) -> Priors:
    """Return priors that do not look at the outcome, as those of times otherwise do."""
    half = Prior("HalfNormal", {"sigma": 1.0})
    slopes = (Prior("Normal", {"mu": 0.0, "sigma": 1.0}),) * len(design.terms)
    return Priors(
        "fixed", Prior("Normal", {"mu": 0.0, "sigma": 1.5}), slopes, (half,) * len(design.groups), half
    )


@pytest.mark.slow
@pytest.mark.parametrize("family", ["gaussian", "lognormal"])
def test_ranks_of_times_are_uniform(family: Family, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reader intercepts, a slope and the error of times, all with priors that the truth was drawn from."""
    pytest.importorskip("arviz_stats", reason="scandl[analysis] is not installed")
    monkeypatch.setattr("scandl_analysis.glm.fit.resolve", lambda _, glm, design: fixed_priors(glm, design))
    rng = np.random.default_rng(13)
    glm = Glm("y", family, ("word_length",), ("reader_id",))
    ranks: dict[str, list[int]] = {name: [] for name in TIMED}
    reader = np.repeat(np.arange(8), 25)
    for replication in range(N_REPLICATIONS):
        values = (rng.normal(0, 1.5), rng.normal(0, 1), *np.abs(rng.normal(0, 1, 2)))
        truth = dict(zip(TIMED, map(float, values), strict=True))
        x = rng.normal(size=len(reader))
        x -= x.mean()
        y = truth["Intercept"] + truth["word_length"] * x + rng.normal(0, truth["sigma"], len(reader))
        y += rng.normal(0, truth["1|reader_id_sigma"], 8)[reader]
        outcome = np.exp(y) if family == "lognormal" else y
        words = pd.DataFrame({"word_length": x, "reader_id": reader.astype(str), "y": outcome})
        sampling = Sampling(draws=(N_RANKS + 1) * 4 // 4, chains=4, seed=replication, patience=1)
        found = fit(words, glm, sampling=sampling)
        for name in TIMED:
            ranks[name].append(int((found.flat(name)[::4][:N_RANKS] < truth[name]).sum()))
    for name, found_ranks in ranks.items():
        counts = np.histogram(found_ranks, bins=10, range=(0, N_RANKS + 1))[0]
        print(f"{family} {name}: {counts}, p = {stats.chisquare(counts).pvalue:.2f}")
        assert stats.chisquare(counts).pvalue > 1e-3, (name, counts)

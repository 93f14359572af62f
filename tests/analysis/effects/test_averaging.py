"""What effects are averaged over: the words of the readers in the sentences of the models, in natural units."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from scandl_analysis.effects.averaging import MOST_DRAWS, Averaging, robust_errors
from scandl_analysis.effects.designs import AnalysedWords, Options
from scandl_analysis.effects.effect_table import not_estimable
from scandl_analysis.glm.design import NotEstimableError
from scandl_analysis.glm.spec import Family, Fit, Glm
from scandl_analysis.predictors.word_predictors import Predictors

GLM = Glm("sr", "bernoulli", ("word_length", "surprisal"))


def analysed() -> AnalysedWords:
    """Return words of two sentences; the model read one of them, and never skips."""
    rng = np.random.default_rng(1)
    rows = [("human", f"r{k}", s, float(rng.integers(0, 2))) for k in range(4) for s in ("s1", "s2") * 5]
    rows += [("m", "", "s1", 0.0)] * 6
    frame = pd.DataFrame(rows, columns=["source", "reader_id", "sentence_id", "sr"])
    frame["word_length"], frame["surprisal"] = rng.normal(size=(2, len(frame)))
    constants = pd.DataFrame(
        [
            (source, name, 0.0, sd)
            for source in ("human", "m")
            for name, sd in (("word_length", 2.5), ("surprisal", 3.0))
        ],
        columns=["source", "predictor", "mean", "sd"],
    )
    none = pd.DataFrame()
    return AnalysedWords(none, none, frame, constants, Predictors({}, {}, ()), ("sr",), GLM.predictors, ())


def test_natural_units_are_letters_and_bits() -> None:
    averaging = Averaging.of(analysed(), Options(frequency="zipf", scaling="human"))
    assert averaging.natural["human", "word_length"] == ("letter", 2.5)
    assert averaging.natural["m", "surprisal"] == ("bit", pytest.approx(3.0 / math.log(2)))
    bits = Averaging.of(analysed(), Options(frequency="zipf", scaling="human", unit="bits"))
    assert bits.natural["m", "surprisal"] == ("bit", 3.0)


def test_effects_are_averaged_over_the_sentences_that_models_read() -> None:
    shared = Averaging.of(analysed(), Options(frequency="zipf", scaling="human"))
    assert set(zip(shared.words["source"], shared.words["sentence_id"], strict=True)) == {("human", "s1")}
    own = Averaging.of(analysed(), Options(frequency="zipf", scaling="separate"))
    assert set(own.words["sentence_id"]) == {"s1", "s2"}


def test_a_measure_that_never_varies_has_marginal_effects_of_nothing() -> None:
    averaging = Averaging.of(analysed(), Options(frequency="zipf", scaling="human"))
    for source, known in (("m", True), ("human", False)):
        nothing = not_estimable(
            NotEstimableError("x"), GLM, "s", source, n_rows=6, engine="hmc", priors="brms"
        )
        found = averaging.added(nothing, None, source)
        assert (found.marginal != {}) == known
    draws = averaging.added(nothing, None, "m").marginal["word_length"]
    assert draws.tolist() == [0.0] * MOST_DRAWS


def test_of_long_runs_every_second_draw_is_averaged() -> None:
    averaging = Averaging.of(analysed(), Options(frequency="zipf", scaling="human"))
    names = ("Intercept", "word_length", "surprisal")
    draws = {name: np.random.default_rng(2).normal(size=(4, 2000)) for name in names}
    known = not_estimable(NotEstimableError("x"), GLM, "s", "human", n_rows=1, engine="hmc", priors="brms")
    found = averaging.added(known, Fit(GLM, "hmc", "brms", {}, 40, draws), "human")
    assert len(found.marginal["word_length"]) == MOST_DRAWS
    assert found.rows[0].robust_sd > 0


def words(
    rng: np.random.Generator, family: Family, n_readers: int = 25, n_sentences: int = 30
) -> pd.DataFrame:
    """Return words of readers and sentences that differ, six words a sentence."""
    x = np.tile(rng.normal(size=n_sentences * 6), n_readers)
    reader = np.repeat(np.arange(n_readers), n_sentences * 6)
    sentence = np.tile(np.repeat(np.arange(n_sentences), 6), n_readers)
    own = rng.normal(0, 0.5, n_readers)[reader] + rng.normal(0, 0.3, n_sentences)[sentence]
    slope = 0.4 + rng.normal(0, 0.3, n_readers)[reader]
    eta = -0.2 + own + slope * x
    if family == "bernoulli":
        y = rng.binomial(1, 1 / (1 + np.exp(-eta))).astype(float)
    elif family == "poisson":
        y = rng.binomial(4, np.clip(np.exp(eta) / 4, 0, 1)).astype(float)  # varies less than Poisson counts
    else:
        y = np.exp(5 + 0.1 * eta + rng.normal(0, 0.2, len(x)))
    return pd.DataFrame(
        {"y": y, "x": x, "reader_id": reader.astype(str), "sentence_id": sentence.astype(str)}
    )


@pytest.mark.parametrize("family", ["bernoulli", "poisson", "lognormal"])
def test_the_error_is_the_spread_over_repeated_samples(family: Family) -> None:
    grid = pd.DataFrame({"x": np.linspace(-1.5, 1.5, 31)})
    found, effects = [], []
    for seed in range(60):
        frame = words(np.random.default_rng(seed), family)
        found.append(robust_errors(frame, "y", ("x",), family, grid)["x"])
        outcome = np.log(frame["y"]) if family == "lognormal" else frame["y"]
        effects.append(np.polyfit(frame["x"], outcome, 1)[0])  # nearly the mean derivative, by least squares
    scale = np.exp(5.0) if family == "lognormal" else 1.0
    assert np.mean(found) == pytest.approx(scale * np.std(effects), rel=0.3)


def test_what_the_pooled_regression_cannot_estimate_has_no_error() -> None:
    frame = words(np.random.default_rng(1), "bernoulli").assign(y=lambda rows: (rows["x"] > 0).astype(float))
    assert robust_errors(frame, "y", ("x",), "bernoulli", frame) == {}

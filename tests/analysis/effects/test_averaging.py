"""What effects are averaged over: the words of the readers in the sentences of the models, in natural units."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from scandl_analysis.effects.averaging import MOST_DRAWS, Averaging
from scandl_analysis.effects.designs import AnalysedWords, Options
from scandl_analysis.effects.effect_table import not_estimable
from scandl_analysis.glm.design import NotEstimableError
from scandl_analysis.glm.spec import Fit, Glm
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

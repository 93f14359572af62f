from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from scandl_analysis.glm.diagnostics import summarise
from scandl_analysis.glm.fit import fit
from scandl_analysis.glm.spec import FAMILIES, Glm, Sampling, Slope, joint_glm, paper_glm

READERS = (Slope("x", "reader_id"), Slope("z", "reader_id"))


@pytest.mark.parametrize(
    ("glm", "formula"),
    [
        (Glm("sr", "bernoulli", ()), "sr ~ 1"),
        (Glm("TFT", "lognormal", ("x",), ("item",)), "log(TFT) ~ x + (1|item)"),
        (Glm("sr", "bernoulli", ("x",), slopes=READERS), "sr ~ x + (0 + x + z||reader_id)"),
        (
            Glm("sr", "bernoulli", ("x",), ("reader_id",), slopes=READERS, correlated=("reader_id",)),
            "sr ~ x + (1 + x + z|reader_id)",
        ),
    ],
)
def test_formulas_are_those_of_lme4(glm: Glm, formula: str) -> None:
    assert glm.formula == formula


def test_columns_are_named_once_and_slopes_belong_to_their_factor() -> None:
    glm = Glm("sr", "bernoulli", ("x",), ("reader_id", "item"), "source", READERS)
    assert glm.columns == ("sr", "x", "z", "reader_id", "item", "source")
    assert glm.factors == ("reader_id", "item")
    assert (glm.slopes_of("reader_id"), glm.slopes_of("item")) == (("x", "z"), ())


@pytest.mark.parametrize("measure", FAMILIES)
def test_the_published_models(measure: str) -> None:
    assert paper_glm(measure, "human").groups == ("reader_id",)
    assert paper_glm(measure, "uniform").groups == ()
    assert paper_glm(measure, "human").family == FAMILIES[measure]
    joint = joint_glm(measure)
    assert (joint.by, joint.groups) == ("source", ("reader_id", "sentence_id"))


Made = Callable[..., pd.DataFrame]
SHORT = Sampling(draws=200, seed=2, patience=1)

pytest.importorskip("arviz_stats", reason="scandl[analysis] is not installed")


def test_intercept_belongs_to_the_predictors_as_they_came(made_words: Made) -> None:
    frame, glm = made_words(slopes=(0.5,)), Glm("y", "bernoulli", ("word_length",))
    moved = frame.assign(word_length=frame["word_length"] + 10)
    here, there = (fit(each, glm, engine="laplace", sampling=SHORT).draws for each in (frame, moved))
    np.testing.assert_allclose(there["word_length"], here["word_length"], atol=1e-6)
    np.testing.assert_allclose(there["Intercept"], here["Intercept"] - 10 * here["word_length"], atol=1e-5)


def test_negative_binomial_recovers_its_shape(made_words: Made) -> None:
    frame = made_words("negativebinomial", slopes=(0.3,), n_own=6, n_readers=10, shape=1.0)
    found = fit(frame, Glm("y", "negativebinomial", ("word_length",), ("reader_id",)), sampling=SHORT)
    shape = summarise(found)["alpha"]
    assert shape.ci_low < 1.0 < shape.ci_high

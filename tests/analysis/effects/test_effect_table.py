"""Rows of effects.csv: the contract's columns, joint fits, and what cannot be estimated."""

from __future__ import annotations

import math

import numpy as np
import pytest

from scandl_analysis.effects.effect_table import (
    Effects,
    effects_of,
    effects_table,
    joint_effects,
    not_estimable,
    with_marginal,
    without,
    without_effects,
)
from scandl_analysis.glm.design import NotEstimableError
from scandl_analysis.glm.spec import Fit, Glm, joint_glm

CONTRACT = [
    "setting",
    "model",
    "measure",
    "predictor",
    "mean",
    "sd",
    "ci_low",
    "ci_high",
    "rhat",
    "ess_bulk",
    "ess_tail",
    "n_rows",
    "engine",
    "priors",
    "note",
]


def made_fit(glm: Glm, **means: float) -> Fit:
    rng = np.random.default_rng(1)
    draws = {name: mean + 0.1 * rng.normal(size=(4, 500)) for name, mean in means.items()}
    return Fit(glm, "hmc", "brms", {}, 1234, draws)


def test_columns_are_the_contract_and_numbers_those_of_the_draws() -> None:
    pytest.importorskip("arviz", reason="scandl[analysis] is not installed")
    fit = made_fit(Glm("sr", "bernoulli", ("word_length",)), Intercept=0.0, word_length=-0.9)
    effects = effects_of(fit, "nrns", "human")
    table = effects_table([effects])
    assert list(table)[: len(CONTRACT)] == CONTRACT
    (row,) = effects.rows
    draws = fit.flat("word_length")
    assert row.mean == pytest.approx(draws.mean(), rel=1e-5)
    assert [row.ci_low, row.ci_high] == pytest.approx(np.quantile(draws, [0.025, 0.975]).tolist(), rel=1e-5)
    assert row.rhat == pytest.approx(1.0, abs=0.01)
    assert row.ess_bulk > 1000
    assert (row.n_rows, row.engine, row.priors) == (1234, "hmc", "brms")


def test_joint_model_adds_the_interaction() -> None:
    pytest.importorskip("arviz", reason="scandl[analysis] is not installed")
    glm = joint_glm("sr", predictors=("word_length",))
    means = {"word_length": -0.9, "source[swift]": 0.2, "source[swift]:word_length": 0.6}
    human, swift = joint_effects(made_fit(glm, **means), "nrns", "swift")
    assert human.rows[0].mean == pytest.approx(-0.9, abs=0.02)
    assert swift.rows[0].mean == pytest.approx(-0.3, abs=0.02)
    assert swift.rows[0].sd == pytest.approx(0.1 * math.sqrt(2), abs=0.01)


def test_what_cannot_be_estimated_is_said_in_each_row() -> None:
    error = NotEstimableError("not estimable: fpr is 0 in all 2,310 words")
    glm = Glm("fpr", "bernoulli")
    effects = not_estimable(error, glm, "nrns", "left-to-right", n_rows=2310, engine="hmc", priors="brms")
    table = effects_table([effects])
    assert table["note"].tolist() == ["not estimable: fpr is 0 in all 2,310 words"] * 3
    assert table["mean"].isna().all()
    assert table["n_rows"].tolist() == [2310] * 3


def test_a_predictor_that_was_left_out_has_a_row_too() -> None:
    glm = Glm("sr", "bernoulli", ("word_length",))
    known = not_estimable(NotEstimableError("x"), glm, "s", "m", n_rows=1, engine="e", priors="p")
    more: Effects = without(known, "surprisal", "not estimable: the same as frequency")
    assert [row.predictor for row in more.rows] == ["word_length", "surprisal"]
    assert more.rows[1].note == "not estimable: the same as frequency"
    assert math.isnan(more.rows[1].mean)


def test_marginal_effects_stand_beside_the_slopes_in_their_unit() -> None:
    glm = Glm("sr", "bernoulli", ("word_length",))
    known = not_estimable(NotEstimableError("x"), glm, "s", "m", n_rows=1, engine="e", priors="p")
    draws = np.random.default_rng(2).normal(-0.15, 0.01, 4000)
    (row,) = with_marginal(known, {"word_length": draws}, {"word_length": ("letter", 2.5)}).rows
    assert (row.unit, row.per) == ("percentage points", "letter")
    assert row.marginal == pytest.approx(-15, abs=0.1)
    assert row.natural == pytest.approx(row.marginal / 2.5, rel=1e-4)
    assert [row.marginal_low, row.marginal_high] == pytest.approx(
        (100 * np.quantile(draws, [0.025, 0.975])).tolist(), rel=1e-4
    )


def test_a_reader_without_effects_has_none_in_the_same_unit() -> None:
    glm = Glm("tfc", "poisson", ("word_length",))
    known = not_estimable(NotEstimableError("x"), glm, "s", "m", n_rows=1, engine="e", priors="p")
    known = with_marginal(known, {"word_length": np.ones(4)}, {})
    nothing = without_effects(known, "no effects")
    assert nothing.marginal["word_length"].tolist() == [0.0] * 4
    assert (nothing.rows[0].unit, nothing.rows[0].marginal) == ("fixations", 0.0)

"""Differences of effects: against the definition, and against the published table."""

from __future__ import annotations

import math

import numpy as np
import pytest

from scandl_analysis.effects.effect_table import Effects, effects_of, flagged, not_estimable, with_marginal
from scandl_analysis.effects.recovery import (
    NO_EFFECTS,
    NOT_SHOWN,
    SPLIT_HALF,
    RecoverySummary,
    recover,
    recover_all,
    recovery_table,
    summarise_recovery,
)
from scandl_analysis.effects.verdicts import EQUIVALENT, WEAK
from scandl_analysis.glm.design import NotEstimableError
from scandl_analysis.glm.spec import Fit, Glm
from scandl_analysis.published_numbers import published_effects, published_note
from scandl_analysis.words.analysed_run import HALVES

PRINTED = {  # cells, same sign, mean absolute difference, RMSE from the printed means
    "ScanDL": (12, 12, 0.0875, 0.1186),
    "Eyettention": (12, 11, 0.1350, 0.1990),
    "E-Z Reader": (12, 6, 0.1908, 0.2602),
    "Train-label-dist": (12, 5, 0.2092, 0.3456),
    "SWIFT": (12, 7, 0.2133, 0.2934),
    "Uniform": (11, 6, 0.3155, 0.4216),
}


def means(source: str) -> dict[tuple[str, str], float]:
    return {(e.measure, e.predictor): e.mean for e in published_effects() if e.source == source}


@pytest.mark.parametrize("model", PRINTED)
def test_published_table(model: str) -> None:
    found = summarise_recovery(means("Human"), means(model))
    cells, same_sign, mean_abs, rmse = PRINTED[model]
    assert (found.cells, found.same_sign) == (cells, same_sign)
    assert (found.mean_abs, found.rmse) == pytest.approx((mean_abs, rmse), abs=5.1e-5)


def test_published_intervals_contain_their_means() -> None:
    effects = published_effects()
    assert len(effects) == 7 * 12 - 1
    assert all(e.ci_low <= e.mean <= e.ci_high for e in effects)
    assert "not printed" in published_note()


def made(model: str, *, seed: int = 0, sd: float = 0.01, **means: float) -> Effects:
    """Return effects on skipping, in percentage points, with these means and standard errors."""
    rng = np.random.default_rng(seed)
    glm = Glm("sr", "bernoulli", tuple(means))
    draws = {name: rng.normal(mean, sd, (4, 1000)) for name, mean in means.items()}
    fit = Fit(glm, "hmc", "brms", {}, 100, draws)
    marginal = {name: each.reshape(-1) for name, each in draws.items()}
    return with_marginal(effects_of(fit, "nrns", model), marginal, {})


PEOPLE = made("human", x=-0.15, z=0.06, n=0.001)


def summaries(*models: Effects) -> dict[str, RecoverySummary]:
    return {row.model: row for row in recover_all([PEOPLE, *models])[1]}


def test_one_cell_against_the_definition() -> None:
    model = made("m", seed=1, x=-0.14, z=0.0, n=0.0)
    rows = {row.predictor: row for row in recover(PEOPLE, model)}
    row = rows["x"]
    difference = PEOPLE.marginal["x"] - model.marginal["x"]
    assert row.readers_minus_model == pytest.approx(difference.mean(), rel=1e-4)
    assert [row.ci_low, row.ci_high] == pytest.approx(
        np.quantile(difference, [0.025, 0.975]).tolist(), rel=1e-4
    )
    assert row.margin == pytest.approx(7.5, abs=0.1)
    assert row.ratio == pytest.approx(14 / 15, abs=0.01)
    assert {name: row.verdict for name, row in rows.items()} == {
        "x": EQUIVALENT,
        "z": WEAK,
        "n": NOT_SHOWN,
    }


def test_a_warning_of_either_side_stands_beside_the_difference() -> None:
    human, model = flagged(PEOPLE, ["3 divergent transitions"]), made("m", seed=1, x=-0.1, z=0.1, n=0.0)
    assert {row.note for row in recover(human, model)} == {"warning: 3 divergent transitions"}
    assert {row.note for row in recover(PEOPLE, model)} == {""}


def test_verdicts_on_what_people_show_are_counted() -> None:
    row = summaries(made("m", seed=1, x=0.15, z=0.13, n=0.5))["m"]
    assert (row.shown, row.wrong_sign, row.too_strong, row.equivalent) == (2, 1, 1, 0)
    assert row.expected_wrong < 0.1


def test_no_effects_and_halves_are_the_ends_of_the_scale() -> None:
    halves = [made(name, seed=k, x=-0.15, z=0.06, n=0.0) for k, name in enumerate(HALVES, start=5)]
    rows = summaries(made("m", seed=1, x=-0.15, z=0.06, n=0.0), *halves)
    assert list(rows) == ["m", NO_EFFECTS, SPLIT_HALF]
    assert (rows[NO_EFFECTS].too_weak, rows[NO_EFFECTS].distance) == (2, pytest.approx(1.0, abs=0.01))
    assert rows[SPLIT_HALF].equivalent == 2
    assert rows[SPLIT_HALF].distance == pytest.approx(0.0, abs=0.05)
    assert rows["m"].minus_none_high < 0


def test_the_nearest_is_told_from_others_by_the_paired_interval() -> None:
    means = {"near": -0.15, "like": -0.148, "far": 0.15}
    rows = summaries(
        *(made(name, seed=k, x=x, z=0.06, n=0.0) for k, (name, x) in enumerate(means.items(), 1))
    )
    nearest = min(means, key=lambda name: rows[name].distance)
    assert rows[nearest].minus_nearest == 0.0
    assert {rows["near"].minus_nearest_low <= 0, rows["like"].minus_nearest_low <= 0} == {True}
    assert rows["far"].minus_nearest_low > 0
    assert rows["far"].minus_none_low > 0


def test_a_model_with_fewer_effects_is_not_the_nearest() -> None:
    rows = summaries(made("all", seed=1, x=-0.1, z=0.06, n=0.0), made("few", seed=2, x=-0.15))
    assert rows["all"].minus_nearest == 0.0
    assert math.isnan(rows["few"].minus_nearest)
    assert rows["few"].missing == 1


def test_a_half_that_was_not_sampled_well_marks_the_halves() -> None:
    first, second = (made(name, seed=k, x=-0.15, z=0.06, n=0.0) for k, name in enumerate(HALVES))
    first = flagged(first, ["1|reader_id: R-hat 1.013, at most 1.01 is good"])
    notes = {name: row.note for name, row in summaries(first, second).items()}
    assert notes == {NO_EFFECTS: "", SPLIT_HALF: "not sampled well: human-half-1 sr"}


def test_not_estimable_cells_keep_their_statement_and_do_not_count() -> None:
    error = NotEstimableError("not estimable: the predictors separate the outcomes")
    absent = not_estimable(error, PEOPLE.glm, "nrns", "m", n_rows=10, engine="hmc", priors="brms")
    rows = recover(PEOPLE, absent)
    assert {row.note for row in rows} == {"not estimable: the predictors separate the outcomes"}
    assert recovery_table(rows)["readers_minus_model"].isna().all()
    assert (summaries(absent)["m"].missing, summaries(absent)["m"].cells) == (2, 0)
    unknown = not_estimable(error, PEOPLE.glm, "nrns", "human", n_rows=1, engine="hmc", priors="brms")
    assert recover_all([unknown]) == ([], [])

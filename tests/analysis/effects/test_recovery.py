"""Differences of effects: against the definition, and against the published table."""

from __future__ import annotations

import math

import numpy as np
import pytest

from scandl_analysis.effects.effect_table import Effects, effects_of, flagged, not_estimable
from scandl_analysis.effects.recovery import (
    NO_EFFECTS,
    recover,
    recover_all,
    recovery_table,
    summarise_effects,
    summarise_recovery,
)
from scandl_analysis.glm.design import NotEstimableError
from scandl_analysis.glm.spec import Family, Fit, Glm
from scandl_analysis.published_numbers import published_effects, published_note

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


def made(
    model: str,
    mean: float,
    family: Family = "bernoulli",
    seed: int = 0,
    n: int = 4000,
    *,
    measure: str = "sr",
    sd: float = 0.05,
    engine: str = "hmc",
) -> Effects:
    draws = mean + sd * np.random.default_rng(seed).normal(size=(4, n // 4))
    fit = Fit(Glm(measure, family, ("surprisal",)), engine, "brms", {}, n, {"surprisal": draws})
    return effects_of(fit, "nrns", model)


def test_one_cell_against_the_definition() -> None:
    human, model = made("human", -0.20), made("m", -0.12, seed=1)
    (row,) = recover(human, model)
    difference = human.draws["surprisal"] - model.draws["surprisal"]
    assert row.human_minus_model == pytest.approx(-0.08, abs=0.005)
    assert [row.ci_low, row.ci_high] == pytest.approx(
        np.quantile(difference, [0.025, 0.975]).tolist(), rel=1e-4
    )
    assert row.rope == 0.1
    assert row.p_in_rope == pytest.approx(np.mean(np.abs(difference) < 0.1), abs=1e-4)
    assert row.p_same_sign == pytest.approx(0.99, abs=0.01)
    assert row.ratio == pytest.approx(0.6, abs=0.02)


def test_a_warning_of_either_side_stands_beside_the_difference() -> None:
    human, model = flagged(made("human", -0.2), ["3 divergent transitions"]), made("m", -0.1, seed=1)
    assert [row.note for row in recover(human, model)] == ["warning: 3 divergent transitions"]
    assert [row.note for row in recover(model, model)] == [""]


def test_rope_is_narrower_on_the_log_scale() -> None:
    (row,) = recover(made("human", 0.1, "poisson"), made("m", 0.1, "poisson", seed=1))
    assert row.rope == 0.05
    (row,) = recover(made("human", 0.1), made("m", 0.1, seed=1), rope=0.3)
    assert row.rope == 0.3


def test_summary_has_an_interval_that_noise_widens() -> None:
    summary = summarise_effects([made("human", 0.2)], [made("m", -0.1, seed=1)])
    assert (summary.cells, summary.same_sign) == (1, 0)
    assert summary.mean_abs == pytest.approx(0.3, abs=0.01)
    assert summary.mean_abs_low < summary.mean_abs < summary.mean_abs_high
    near = summarise_effects([made("human", 0.2)], [made("m", 0.2, seed=1)])
    folded = 0.05 * math.sqrt(2) * math.sqrt(2 / math.pi)  # mean of |normal| with the variance of both
    assert near.mean_abs_posterior == pytest.approx(folded, rel=0.05)
    assert near.mean_abs < near.mean_abs_low < near.mean_abs_posterior < near.mean_abs_high


def test_models_are_told_from_the_nearest_draw_by_draw() -> None:
    human = [made("human", 0.3), made("human", -0.2, seed=9, measure="fpr")]
    means = {"near": (0.25, -0.2), "like": (0.3, -0.15), "far": (-0.3, 0.3)}
    models = [
        made(name, mean, seed=10 * k + j, measure=measure)
        for k, (name, pair) in enumerate(means.items(), start=1)
        for j, (measure, mean) in enumerate(zip(("sr", "fpr"), pair, strict=True))
    ]
    fewer = made("fewer", 0.3, seed=99)  # nearest of all, on the only cell it has
    rows = {s.model: s for s in recover_all([*human, *models, fewer])[1]}
    assert list(rows) == ["near", "like", "far", "fewer", NO_EFFECTS]
    size = {  # written slowly: the mean of two absolute differences for each draw
        name: sum(
            np.abs(a.draws["surprisal"] - b.draws["surprisal"])
            for a in human
            for b in models
            if b.model == name and b.measure == a.measure
        )
        / 2
        for name in means
    }
    size[NO_EFFECTS] = sum(np.abs(a.draws["surprisal"]) for a in human) / 2
    nearest = min(means, key=lambda name: size[name].mean())
    for name, each in size.items():
        apart = each - size[nearest]
        assert rows[name].minus_nearest == pytest.approx(apart.mean())
        assert [rows[name].minus_nearest_low, rows[name].minus_nearest_high] == pytest.approx(
            np.quantile(apart, [0.025, 0.975]).tolist()
        )
    assert {rows["near"].minus_nearest_low <= 0, rows["like"].minus_nearest_low <= 0} == {True}
    assert rows["far"].minus_nearest_low > 0
    assert math.isnan(rows["fewer"].minus_nearest)


def test_no_effects_is_as_far_away_as_the_human_effects_are_large() -> None:
    human = [made("human", 0.3), made("human", -0.1, seed=9, measure="fpr")]
    (row,) = recover_all(human)[1]
    assert (row.model, row.cells, row.same_sign) == (NO_EFFECTS, 2, 0)
    assert row.mean_abs == pytest.approx(0.2, abs=0.005)
    assert row.rmse == pytest.approx(math.sqrt((0.3**2 + 0.1**2) / 2), abs=0.005)
    absent = not_estimable(
        NotEstimableError("x"), human[0].glm, "nrns", "human", n_rows=1, engine="hmc", priors="brms"
    )
    assert recover_all([absent]) == ([], [])


def test_draws_of_a_quick_look_test_nothing() -> None:
    effects = [made("human", 0.3, engine="laplace"), made("m", 0.2, seed=1, engine="laplace")]
    assert all(math.isnan(s.minus_nearest) for s in recover_all(effects)[1])


def test_a_half_that_was_not_sampled_well_marks_the_split_half() -> None:
    half = flagged(made("human-half-1", 0.2), ["1|reader_id: R-hat 1.013, at most 1.01 is good"])
    effects = [made("human", 0.2, seed=1), made("m", 0.1, seed=2), half, made("human-half-2", 0.2, seed=3)]
    notes = {s.model: s.note for s in recover_all(effects)[1]}
    assert notes == {"m": "", NO_EFFECTS: "", "human split-half": "not sampled well: human-half-1 sr"}


def test_not_estimable_cells_keep_their_statement_and_do_not_count() -> None:
    human = made("human", 0.2)
    error = NotEstimableError("not estimable: sr is 0 in all 10 words")
    absent = not_estimable(error, human.glm, "nrns", "m", n_rows=10, engine="hmc", priors="brms")
    known = not_estimable(error, human.glm, "nrns", "human", n_rows=10, engine="hmc", priors="brms")
    rows = recover(known, absent)
    assert [row.note for row in rows] == ["not estimable: sr is 0 in all 10 words"]
    assert math.isnan(recovery_table(rows)["human_minus_model"][0])
    assert summarise_effects([human], [absent]).cells == 0

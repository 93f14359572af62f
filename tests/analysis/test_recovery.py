"""Differences of effects: against the definition, and against the published table."""

from __future__ import annotations

import math

import numpy as np
import pytest

from scandl_analysis.effects import Effects, effects_of, flagged, not_estimable
from scandl_analysis.glm.design import NotEstimableError
from scandl_analysis.glm.fit import Fit
from scandl_analysis.glm.spec import Family, Glm
from scandl_analysis.published import published_effects, published_note
from scandl_analysis.recovery import recover, recovery_table, summarise_effects, summarise_recovery

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


def made(model: str, mean: float, family: Family = "bernoulli", seed: int = 0, n: int = 4000) -> Effects:
    draws = mean + 0.05 * np.random.default_rng(seed).normal(size=(4, n // 4))
    fit = Fit(Glm("sr", family, ("surprisal",)), "nuts", "brms", {}, n, {"surprisal": draws})
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


def test_not_estimable_cells_keep_their_statement_and_do_not_count() -> None:
    human = made("human", 0.2)
    error = NotEstimableError("not estimable: sr is 0 in all 10 words")
    absent = not_estimable(error, human.glm, "nrns", "m", n_rows=10, engine="nuts", priors="brms")
    known = not_estimable(error, human.glm, "nrns", "human", n_rows=10, engine="nuts", priors="brms")
    rows = recover(known, absent)
    assert [row.note for row in rows] == ["not estimable: sr is 0 in all 10 words"]
    assert math.isnan(recovery_table(rows)["human_minus_model"][0])
    assert summarise_effects([human], [absent]).cells == 0

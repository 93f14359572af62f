"""Experiments from stated variances have them."""

from __future__ import annotations

import numpy as np
import pytest

from scandl_analysis.piloting.design.condition_contrasts import Contrasts
from scandl_analysis.piloting.planned_regression import Plan, regression
from scandl_analysis.piloting.reading_pool import Rows
from scandl_analysis.piloting.variance_components import (
    Components,
    added_ms,
    components_of,
    log_effect,
    simulate,
)

TWO = Contrasts(("b − a",), np.array([[1.0, -0.5], [1.0, 0.5]]))


def crossed(readers, items):
    r, i = (axis.ravel() for axis in np.meshgrid(np.arange(readers), np.arange(items), indexing="ij"))
    return Rows(np.full(len(r), np.nan), r, i, (r + i) % 2)


def test_what_is_put_in_comes_out():
    truth = Components((5.5, 0.2), (0.2, 0.1), (0.15, 0.1), 0.4, (0.1, 0.3))
    rows = simulate(truth, TWO, crossed(100, 80), "gaussian", np.random.default_rng(1))
    missing = np.array([np.isnan(rows.y[rows.condition == c]).mean() for c in (0, 1)])
    assert missing == pytest.approx([0.1, 0.3], abs=0.02)
    found = components_of(regression(rows, Plan(TWO), "gaussian"), Plan(TWO), missing)
    assert found.effects == pytest.approx(truth.effects, abs=0.09)
    assert found.reader == pytest.approx(truth.reader, abs=0.04)
    assert found.item == pytest.approx(truth.item, abs=0.04)
    assert found.residual == pytest.approx(0.4, abs=0.01)


def test_slopes_that_were_not_planned_are_0():
    rows = simulate(
        Components((5.5, 0.2), (0.2, 0.1), (0.15, 0.1), 0.4, (0, 0)),
        TWO,
        crossed(20, 20),
        "gaussian",
        np.random.default_rng(1),
    )
    plan = Plan(TWO, ((0,), (0, 1)))
    found = components_of(regression(rows, plan, "gaussian"), plan, np.zeros(2))
    assert found.reader[1] == 0
    assert found.reader[0] > 0


@pytest.mark.parametrize(("dispersion", "kind"), [(1.0, "poisson"), (2.0, "poisson"), (1.0, "bernoulli")])
def test_outcomes_have_mean_and_dispersion(dispersion, kind):
    flat = Components((0.3, 0.0), (0, 0), (0, 0), dispersion**0.5, (0, 0))
    y = simulate(flat, TWO, crossed(150, 150), kind, np.random.default_rng(1)).y
    mean = np.exp(0.3) if kind == "poisson" else 1 / (1 + np.exp(-0.3))
    assert y.mean() == pytest.approx(mean, rel=0.03)
    expected = dispersion * mean if kind == "poisson" else mean * (1 - mean)
    assert y.var() == pytest.approx(expected, rel=0.05)


def test_a_stated_effect_takes_the_place_of_the_models():
    flat = Components((5.5, 0.0), (0, 0), (0, 0), 0.01, (0, 0))
    rows = simulate(
        flat, TWO, crossed(20, 20), "gaussian", np.random.default_rng(1), effect=log_effect(25, 5.5)
    )
    medians = [np.median(rows.y[rows.condition == c]) for c in (0, 1)]
    assert medians[1] - medians[0] == pytest.approx(25, abs=1)
    assert added_ms(0.1, 5.5) == pytest.approx(np.exp(5.55) - np.exp(5.45))

"""The planned regression: its terms, its formula, and experiments that cannot be analysed."""

from __future__ import annotations

import numpy as np
import pytest

from scandl.errors import ScandlError
from scandl_analysis.formulas.formula import read_formula
from scandl_analysis.piloting.design.condition_contrasts import Contrasts
from scandl_analysis.piloting.planned_regression import Plan, analysed, regression
from scandl_analysis.piloting.reading_pool import Rows

TWO = Contrasts(("b − a",), np.array([[1.0, -0.5], [1.0, 0.5]]))


def rows(y, readers=12, items=8):
    r, i = (axis.ravel() for axis in np.meshgrid(np.arange(readers), np.arange(items), indexing="ij"))
    return Rows(np.broadcast_to(np.asarray(y, float), r.shape).copy(), r, i, (r + i) % 2)


@pytest.mark.parametrize(
    ("slopes", "formula"),
    [
        ("maximal", "TFT ~ condition + (1 + condition || reader) + (1 + condition || item)"),
        ("reader", "TFT ~ condition + (1 + condition || reader) + (1 | item)"),
        ("item", "TFT ~ condition + (1 | reader) + (1 + condition || item)"),
        ("none", "TFT ~ condition + (1 | reader) + (1 | item)"),
    ],
)
def test_the_formula_is_one_that_fit_reads(slopes, formula):
    plan = Plan(TWO, slopes)
    assert plan.formula("TFT") == formula
    assert read_formula(formula).response == "TFT"
    assert sum(len(plan.columns(group)) for group in ("reader", "item")) == 2 + 2 * (slopes == "maximal") + (
        slopes in ("reader", "item")
    )


def test_times_are_analysed_on_the_log_scale():
    rng = np.random.default_rng(1)
    base = rows(0.0)
    y = np.exp(5.5 + 0.3 * (base.condition - 0.5) + 0.2 * rng.normal(size=len(base.y)))
    found = regression(Rows(y, base.reader, base.item, base.condition), Plan(TWO), "gaussian")
    assert found.effects == pytest.approx([5.5, 0.3], abs=0.1)


@pytest.mark.parametrize("y", [np.nan, 250.0])
def test_what_tells_nothing_finds_nothing(y):
    found = analysed(rows(y), Plan(TWO), "gaussian")
    assert np.isnan(found.effects).all()
    assert (found.p == 1).all()


def test_one_condition_without_values_finds_nothing():
    one = rows(np.random.default_rng(1).uniform(200, 300, 96))
    y = np.where(one.condition == 0, np.nan, one.y)
    assert (analysed(Rows(y, one.reader, one.item, one.condition), Plan(TWO), "gaussian").p == 1).all()


def test_slopes_have_names():
    with pytest.raises(ScandlError, match="--slopes all: expected maximal, reader, item, none"):
        Plan(TWO, "all")

"""Power and type I error of a log-normal mixed model whose variances are known.

For a balanced Latin square with two conditions the effect has the variance
V = τr²/R + τi²/I + 4σ²/(RI), estimated as a sum of mean squares (of readers' slopes, plus of items' slopes,
minus the residual one), which gives Satterthwaite's degrees of freedom and a noncentral t distribution.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from scandl_analysis.piloting.experiments import (
    Components,
    ExperimentSize,
    ExperimentTask,
    Laboratory,
    experiment,
)
from scandl_analysis.piloting.planned_regression import Contrasts, Plan
from scandl_analysis.piloting.power import found_in

CELL = ("critical", "TFT")
TWO = Contrasts(("b − a",), np.array([[1.0, -0.5], [1.0, 0.5]]))


def simulated(
    design: ExperimentSize, effect: float, reader: float, item: float, residual: float, n: int = 1000
):
    parts = Components((5.5, effect), (0.2, reader), (0.15, item), residual, (0.0, 0.0))
    room = Laboratory(Plan(TWO), {"TFT": "gaussian"}, {}, {("truth", *CELL): parts}, 1)
    return found_in(experiment(room, ExperimentTask("truth", design, (CELL,), 0, n))[CELL][:, 0], effect)


def analytic(design: ExperimentSize, effect: float, reader: float, item: float, residual: float) -> float:
    n_readers, n_items = design.readers, design.items
    rest = 4 * residual**2 / (n_readers * n_items)
    of_readers, of_items = reader**2 / n_readers + rest, item**2 / n_items + rest
    variance = of_readers + of_items - rest
    freedom = variance**2 / (
        of_readers**2 / (n_readers - 1)
        + of_items**2 / (n_items - 1)
        + rest**2 / ((n_readers - 1) * (n_items - 1) - 1)
    )
    limit, shift = stats.t.ppf(0.975, freedom), effect / np.sqrt(variance)
    return float(stats.nct.sf(limit, freedom, shift) + stats.nct.cdf(-limit, freedom, shift))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("design", "effect", "reader", "item", "residual"),
    [(ExperimentSize(24, 24), 0.12, 0.15, 0.12, 0.4), (ExperimentSize(48, 32), 0.09, 0.12, 0.10, 0.4)],
)
def test_power_is_the_analytic_one(design, effect, reader, item, residual):
    found = simulated(design, effect, reader, item, residual)
    expected = analytic(design, effect, reader, item, residual)
    assert abs(found.power - expected) < 2.58 * np.sqrt(expected * (1 - expected) / 1000)
    assert found.type_s == 0
    assert found.n_failed == 0


@pytest.mark.slow
@pytest.mark.parametrize(("reader", "item"), [(0.12, 0.10), (0.05, 0.05)])
def test_without_an_effect_5_per_cent_are_significant(reader, item):
    assert abs(simulated(ExperimentSize(48, 32), 0.0, reader, item, 0.4).power - 0.05) <= 0.015


def test_a_few_experiments_are_near(capsys):
    """The same in seconds: 60 experiments cannot tell 60 % from 50 %, but a wrong error they can."""
    design = ExperimentSize(16, 12)
    found = simulated(design, 0.3, 0.15, 0.12, 0.4, n=60)
    assert abs(found.power - analytic(design, 0.3, 0.15, 0.12, 0.4)) < 0.2

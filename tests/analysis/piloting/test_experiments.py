"""Experiments: Latin squares, the same for the same seed, resampled or simulated."""

from __future__ import annotations

import numpy as np
import pytest

from scandl.errors import ScandlError
from scandl.seeds import stream
from scandl_analysis.piloting.experiments import (
    Components,
    ExperimentSize,
    ExperimentTask,
    Laboratory,
    PilotOptions,
    added_ms,
    assigned,
    components_of,
    experiment,
    log_effect,
    resampled,
    simulate,
)
from scandl_analysis.piloting.planned_regression import Contrasts, Plan, regression
from scandl_analysis.piloting.reading_pool import ReadingPool, ReadingRows

TWO = Contrasts(("b − a",), np.array([[1.0, -0.5], [1.0, 0.5]]))
CELL = ("critical", "TFT")


def laboratory(effect=0.0):
    values = np.exp(
        5.5 + 0.3 * np.random.default_rng(1).normal(size=(40, 12, 2)) + effect * np.array([-0.5, 0.5])
    )
    parts = Components((5.5, effect), (0.2, 0.0), (0.1, 0.0), 0.3, (0.0, 0.0))
    return Laboratory(
        Plan(TWO), {"TFT": "gaussian"}, {"m": ReadingPool({CELL: values})}, {("m", *CELL): parts}, 1
    )


def test_every_reader_reads_every_item_once_and_conditions_are_balanced():
    rows = assigned(laboratory(), ExperimentTask("m", ExperimentSize(8, 12), (CELL,), 0, 1), stream(1, "x"))
    assert len(set(rows.reader)) == 8
    assert len(set(rows.item)) == 12
    assert len(set(zip(rows.reader, rows.item, strict=True))) == 96
    for levels in (rows.reader, rows.item):
        for level in set(levels):
            assert np.bincount(rows.condition[levels == level]).tolist() == [sum(levels == level) / 2] * 2


def test_when_the_pool_suffices():
    lab = laboratory()
    small = ExperimentTask("m", ExperimentSize(8, 12), (CELL,), 0, 1)
    assert resampled(lab, small)
    assert not resampled(lab, ExperimentTask("m", ExperimentSize(8, 24), (CELL,), 0, 1))
    assert not resampled(lab, ExperimentTask("m", ExperimentSize(8, 12), (CELL,), 0, 1, (("TFT", 0.1),)))


def test_how_experiments_are_shared_out_does_not_matter():
    lab = laboratory()
    whole = experiment(lab, ExperimentTask("m", ExperimentSize(8, 12), (CELL,), 0, 4))[CELL]
    parts = [
        experiment(lab, ExperimentTask("m", ExperimentSize(8, 12), (CELL,), first, 2))[CELL]
        for first in (0, 2)
    ]
    np.testing.assert_array_equal(whole, np.concatenate(parts))
    assert whole.shape == (4, 1, 4)


def test_effects_of_pool_and_components_are_found():
    lab = laboratory(effect=0.4)
    for items in (12, 24):  # resampled, simulated
        found = experiment(lab, ExperimentTask("m", ExperimentSize(20, items), (CELL,), 0, 10))[CELL][:, 0]
        assert abs(found[:, 0].mean() - 0.4) < 0.1
        assert (found[:, 3] < 0.05).all()


def test_a_stated_effect_draws_the_same_numbers_on_every_cpu():
    """Its last digits come from a fit, and CPUs do not agree on them."""
    effects = (0.1, np.nextafter(0.1, 1))
    tasks = [ExperimentTask("m", ExperimentSize(8, 12), (CELL,), 0, 4, (("TFT", float(e)),)) for e in effects]
    one, other = (experiment(laboratory(), task)[CELL] for task in tasks)
    np.testing.assert_allclose(one, other, rtol=1e-6)


def crossed(readers, items):
    r, i = (axis.ravel() for axis in np.meshgrid(np.arange(readers), np.arange(items), indexing="ij"))
    return ReadingRows(np.full(len(r), np.nan), r, i, (r + i) % 2)


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


def test_designs_grow():
    options = PilotOptions(readers=(48, 24), items=(40, 20))
    assert options.sizes(32) == [
        ExperimentSize(24, 20),
        ExperimentSize(48, 20),
        ExperimentSize(24, 40),
        ExperimentSize(48, 40),
    ]
    assert PilotOptions(readers=(24,)).sizes(32) == [ExperimentSize(24, 32)]
    assert options.pool_size == 4 * 48
    assert PilotOptions(readers=(24,), pool=10).pool_size == 24


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"readers": (2,)}, "--readers 2: expected 4 to 2,000"),
        ({"items": (9999,)}, "--items 9999: expected 4 to 2,000"),
        ({"experiments": 5}, "--experiments 5: expected at least 20"),
        ({"regions": ("criticla",)}, "no region 'criticla'; did you mean 'critical'"),
        ({"models": ()}, "a pilot needs a model, a measure and a number of readers"),
    ],
)
def test_what_cannot_be_is_said(chosen, said):
    with pytest.raises(ScandlError) as error:
        PilotOptions(**chosen)
    assert said in str(error.value)


def test_readers_are_spread_as_the_card_says_and_never_less_than_they_are():
    own = Components((5.0, 0.1, 0.0), (0.1, 0.0, 0.09), (0.0, 0.0, 0.0), 0.4, (0.0, 0.0))
    known = {"log ms": 0.5, "log odds": 2.0, "slopes": 0.25}
    assert own.spread_out(known, "log ms", (0, 1, 2)).reader == (0.2, 0.05, 0.09)
    assert own.spread_out(known, "log odds", (0, 2)).reader == (0.1, 0.0, 0.09)
    assert own.spread_out({}, "log ms", (0, 1, 2)) == own

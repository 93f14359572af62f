"""Experiments: Latin squares, the same for the same seed, resampled or simulated."""

from __future__ import annotations

import numpy as np

from scandl.seeds import stream
from scandl_analysis.piloting.design.condition_contrasts import Contrasts
from scandl_analysis.piloting.experiments import (
    Design,
    ExperimentTask,
    Laboratory,
    assigned,
    experiment,
    resampled,
)
from scandl_analysis.piloting.planned_regression import Plan
from scandl_analysis.piloting.reading_pool import Pool
from scandl_analysis.piloting.variance_components import Components

TWO = Contrasts(("b − a",), np.array([[1.0, -0.5], [1.0, 0.5]]))
CELL = ("critical", "TFT")


def laboratory(effect=0.0):
    values = np.exp(
        5.5 + 0.3 * np.random.default_rng(1).normal(size=(40, 12, 2)) + effect * np.array([-0.5, 0.5])
    )
    parts = Components((5.5, effect), (0.2, 0.0), (0.1, 0.0), 0.3, (0.0, 0.0))
    return Laboratory(Plan(TWO), {"TFT": "gaussian"}, {"m": Pool({CELL: values})}, {("m", *CELL): parts}, 1)


def test_every_reader_reads_every_item_once_and_conditions_are_balanced():
    rows = assigned(laboratory(), ExperimentTask("m", Design(8, 12), (CELL,), 0, 1), stream(1, "x"))
    assert len(set(rows.reader)) == 8
    assert len(set(rows.item)) == 12
    assert len(set(zip(rows.reader, rows.item, strict=True))) == 96
    for levels in (rows.reader, rows.item):
        for level in set(levels):
            assert np.bincount(rows.condition[levels == level]).tolist() == [sum(levels == level) / 2] * 2


def test_when_the_pool_suffices():
    lab = laboratory()
    small = ExperimentTask("m", Design(8, 12), (CELL,), 0, 1)
    assert resampled(lab, small)
    assert not resampled(lab, ExperimentTask("m", Design(8, 24), (CELL,), 0, 1))
    assert not resampled(lab, ExperimentTask("m", Design(8, 12), (CELL,), 0, 1, (("TFT", 0.1),)))


def test_how_experiments_are_shared_out_does_not_matter():
    lab = laboratory()
    whole = experiment(lab, ExperimentTask("m", Design(8, 12), (CELL,), 0, 4))[CELL]
    parts = [experiment(lab, ExperimentTask("m", Design(8, 12), (CELL,), first, 2))[CELL] for first in (0, 2)]
    np.testing.assert_array_equal(whole, np.concatenate(parts))
    assert whole.shape == (4, 1, 4)


def test_effects_of_pool_and_components_are_found():
    lab = laboratory(effect=0.4)
    for items in (12, 24):  # resampled, simulated
        found = experiment(lab, ExperimentTask("m", Design(20, items), (CELL,), 0, 10))[CELL][:, 0]
        assert abs(found[:, 0].mean() - 0.4) < 0.1
        assert (found[:, 3] < 0.05).all()


def test_a_stated_effect_draws_the_same_numbers_on_every_cpu():
    """Its last digits come from a fit, and CPUs do not agree on them."""
    effects = (0.1, np.nextafter(0.1, 1))
    tasks = [ExperimentTask("m", Design(8, 12), (CELL,), 0, 4, (("TFT", float(e)),)) for e in effects]
    one, other = (experiment(laboratory(), task)[CELL] for task in tasks)
    np.testing.assert_allclose(one, other, rtol=1e-6)

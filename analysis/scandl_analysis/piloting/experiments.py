"""Simulated experiments: readers and items by Latin square, and what the planned regression finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from scandl.seeds import stream
from scandl_analysis.mixed.crossed_rows import Floats
from scandl_analysis.mixed.quasi_likelihood import Kind
from scandl_analysis.piloting.design.latin_square import latin_square
from scandl_analysis.piloting.planned_regression import Plan, analysed
from scandl_analysis.piloting.reading_pool import Pool, Rows
from scandl_analysis.piloting.region_measures import Cell
from scandl_analysis.piloting.variance_components import Components, simulate

RESAMPLED, PARAMETRIC = "resampled", "parametric"


@dataclass(frozen=True, slots=True)
class Design:
    """The size of an experiment."""

    readers: int
    items: int

    def __str__(self) -> str:
        return f"{self.readers} readers × {self.items} items"


@dataclass(frozen=True, slots=True)
class ExperimentTask:
    """Some experiments of one design, all on readings of one model."""

    model: str
    design: Design
    cells: tuple[Cell, ...]
    first: int
    count: int
    effects: tuple[tuple[str, float], ...] = ()  # stated ones by measure, on the scale of the measure


@dataclass(frozen=True, slots=True)
class Laboratory:
    """What workers that experiment have to know."""

    plan: Plan
    kinds: Mapping[str, Kind]  # of measures
    pools: Mapping[str, Pool]  # of models
    components: Mapping[tuple[str, str, str], Components]  # of model, region, measure
    seed: int


def experiment(laboratory: Laboratory, task: ExperimentTask) -> dict[Cell, Floats]:
    """Make and analyse experiments: (experiments, contrasts, effect, error, freedom, p) for each cell.

    This is what workers run. One draw of readers, items and lists serves all measures of an experiment.
    """
    found: dict[Cell, list[Floats]] = {cell: [] for cell in task.cells}
    stated = dict(task.effects)
    for number in range(task.first, task.first + task.count):
        # Not by the value of a stated effect, whose last digits are those of the CPU's own arithmetic.
        rng = stream(
            laboratory.seed,
            "experiment",
            task.model,
            task.design.readers,
            task.design.items,
            number,
            *(name for name, _ in task.effects),
        )
        rows = assigned(laboratory, task, rng)
        for cell in task.cells:
            kind = laboratory.kinds[cell[1]]
            key = (task.model, *cell)
            if resampled(laboratory, task):
                values = laboratory.pools[task.model].values[cell]
                seen = Rows(
                    values[rows.reader, rows.item, rows.condition], rows.reader, rows.item, rows.condition
                )
            else:
                seen = simulate(
                    laboratory.components[key],
                    laboratory.plan.contrasts,
                    rows,
                    kind,
                    rng,
                    effect=stated.get(cell[1]),
                )
            result = analysed(seen, laboratory.plan, kind)
            found[cell].append(np.stack([result.effects, result.errors, result.freedom, result.p], axis=-1))
    return {cell: np.stack(results) for cell, results in found.items()}


def resampled(laboratory: Laboratory, task: ExperimentTask) -> bool:
    """Return whether the readings of the pool suffice; a stated effect or more items need a model of them."""
    if task.effects or task.model not in laboratory.pools:
        return False
    n_readers, n_items, _ = laboratory.pools[task.model].shape
    return task.design.readers <= n_readers and task.design.items <= n_items


def assigned(laboratory: Laboratory, task: ExperimentTask, rng: np.random.Generator) -> Rows:
    """Draw readers and items, and give each reader a list; the values are still to come."""
    design, n_conditions = task.design, len(laboratory.plan.contrasts.matrix)
    n_readers, n_items = design.readers, design.items
    if resampled(laboratory, task):
        n_readers, n_items, _ = laboratory.pools[task.model].shape
    readers = rng.choice(n_readers, design.readers, replace=False)
    items = rng.choice(n_items, design.items, replace=False)
    square = latin_square(design.items, n_conditions)
    lists = rng.permutation(np.arange(design.readers) % n_conditions)
    conditions = square[lists]
    return Rows(
        np.full(design.readers * design.items, np.nan),
        np.repeat(readers, design.items),
        np.tile(items, design.readers),
        conditions.ravel(),
    )

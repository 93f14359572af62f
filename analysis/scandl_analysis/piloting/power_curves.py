"""Curves of power: experiments of every size, by workers, and what they say together."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from scandl.corpora.corpus import digest
from scandl_analysis.piloting.expected_effects import HUMAN, SourceEffects
from scandl_analysis.piloting.experiments import (
    PARAMETRIC,
    RESAMPLED,
    Design,
    ExperimentTask,
    Laboratory,
    experiment,
    resampled,
)
from scandl_analysis.piloting.kept_pieces import Keeper
from scandl_analysis.piloting.pilot_options import PilotOptions
from scandl_analysis.piloting.power import OWN, STATED, PowerPoint, found_in
from scandl_analysis.piloting.region_measures import Cell
from scandl_analysis.piloting.stated_effects import StatedEffect

EXPERIMENTS_AT_ONCE = 20  # of one task


def power_points(
    keeper: Keeper,
    options: PilotOptions,
    laboratory: Laboratory,
    found: dict[str, SourceEffects],
    stated: Sequence[StatedEffect],
    n_items: int,
) -> list[PowerPoint]:
    """Simulate experiments of every size and summarise them."""
    tasks: list[ExperimentTask] = []
    for source, own in found.items():
        cells = tuple(cell for cell in own.components if cell[0] in options.regions)
        for design in options.sizes(n_items):
            if source != HUMAN and cells:
                tasks += _tasks(options, source, design, cells, ())
            for effect in stated:
                for cell in (c for c in cells if c[1] == effect.measure.name):
                    size = effect.on_scale(own.components[cell])
                    tasks += _tasks(options, source, design, (cell,), ((cell[1], size),))
    pools = {
        name: digest(*(v.tobytes().hex() for v in pool.values.values()))
        for name, pool in laboratory.pools.items()
    }
    made_from = [
        pools,
        repr(laboratory.components),
        laboratory.plan.by_group,
        laboratory.plan.contrasts.matrix.tolist(),
        laboratory.seed,
    ]
    parts = keeper.each("experiments", experiment, laboratory, tasks, made_from)
    unclear = {
        (e.source, e.region, e.measure, e.contrast)
        for own in found.values()
        for e in own.effects
        if not e.clear
    }
    results: dict[ExperimentTask, list[dict[Cell, Any]]] = {}
    for task, part in zip(tasks, parts, strict=True):
        results.setdefault(replace(task, first=0, count=0), []).append(dict(part))
    return [
        point
        for task, parts_ in results.items()
        for cell in task.cells
        for point in _points(laboratory, task, cell, np.concatenate([part[cell] for part in parts_]), unclear)
    ]


def _tasks(
    options: PilotOptions,
    source: str,
    design: Design,
    cells: tuple[Cell, ...],
    effects: tuple[tuple[str, float], ...],
) -> list[ExperimentTask]:
    return [
        ExperimentTask(
            source, design, cells, first, min(EXPERIMENTS_AT_ONCE, options.experiments - first), effects
        )
        for first in range(0, options.experiments, EXPERIMENTS_AT_ONCE)
    ]


def _points(
    laboratory: Laboratory,
    task: ExperimentTask,
    cell: Cell,
    results: np.ndarray[Any, Any],
    unclear: Collection[tuple[str, ...]],
) -> list[PowerPoint]:
    """Return the power for each contrast; ``results`` is (experiments, contrasts, 4).

    Of an effect that may as well be 0 it is not known which sign is wrong, nor what is too large.
    """
    own = laboratory.components[task.model, *cell].effects[1:]
    stated = dict(task.effects).get(cell[1])
    method = RESAMPLED if resampled(laboratory, task) else PARAMETRIC
    points = []
    for k, contrast in enumerate(laboratory.plan.contrasts.names):
        effect = own[k] if stated is None else stated
        found = found_in(results[:, k], effect)
        if stated is None and (task.model, *cell, contrast) in unclear:
            found = replace(found, type_s=None, type_m=None)
        point = PowerPoint(
            task.model,
            *cell,
            contrast,
            OWN if stated is None else STATED,
            effect,
            task.design,
            method,
            len(results),
            found.power,
            found.ci95,
            found.type_s,
            found.type_m,
            found.n_failed,
        )
        points.append(point)
    return points

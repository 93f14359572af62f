"""Power: how often experiments of a size find an effect, and how wrong those are that do."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from scandl.errors import ScandlError
from scandl.files.manifest import digest
from scandl.statistics.bootstrap import Floats
from scandl.statistics.clustered import share_interval
from scandl_analysis.piloting.expected_effects import HUMAN, Place, SourceEffects
from scandl_analysis.piloting.experiments import (
    PARAMETRIC,
    RESAMPLED,
    Components,
    Effects,
    ExperimentTask,
    Laboratory,
    PilotOptions,
    experiment,
    log_effect,
    resampled,
)
from scandl_analysis.piloting.reading_pool import Cell, Keeper, PlannedMeasure, planned_measure

ALPHA = 0.05
ENOUGH = 0.80
OWN, STATED = "model", "stated"
"""Whose effect the experiments have: the model's own, or the one the user states."""
AT_ONCE = 20  # of one task
_FORM = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*([-+−]?\d*\.?\d+)\s*(ms)?\s*")


@dataclass(frozen=True, slots=True)
class StatedEffect:
    """An effect of a given size: ms of a time, else a number on the scale of the measure."""

    measure: PlannedMeasure
    size: float
    in_ms: bool

    def on_scale(self, components: Components) -> float:
        """Return the effect as the regression has it."""
        return log_effect(self.size, components.effects[0]) if self.in_ms else self.size

    def __str__(self) -> str:
        return f"{self.size:g} ms" if self.in_ms else f"{self.size:g} {self.measure.scale}"


def read_effects(texts: Iterable[str]) -> list[StatedEffect]:
    """Read what ``--effect`` was given.

    >>> [str(effect) for effect in read_effects(["TFT=25ms", "sr=-0.3"])]
    ['25 ms', '-0.3 log odds']
    """
    return [_read(text) for text in texts]


def _read(text: str) -> StatedEffect:
    form = _FORM.fullmatch(text)
    if form is None:
        raise ScandlError(f"--effect {text}: expected a measure and its effect, such as TFT=25ms or sr=0.3")
    measure = planned_measure(form[1])
    size, in_ms = float(form[2].replace("−", "-")), form[3] is not None
    if in_ms and measure.kind != "gaussian":
        raise ScandlError(
            f"--effect {text}: {measure.name} is no time; its effect is a number of {measure.scale}"
        )
    if not math.isfinite(size):
        raise ScandlError(f"--effect {text}: expected a finite number")
    if not in_ms and measure.kind == "gaussian" and abs(size) > 2:
        raise ScandlError(
            f"--effect {text}: on the log scale that is a factor of {math.exp(size):.3g}; write {form[2]}ms"
        )
    return StatedEffect(measure, size, in_ms)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What significant experiments say of an effect that is known."""

    power: float
    ci95: tuple[float, float]  # Monte-Carlo interval
    type_s: float | None  # share of significant experiments with the wrong sign
    type_m: float | None  # how many times too large significant effects are
    n_failed: int  # experiments whose regression did not converge; they found nothing


@dataclass(frozen=True, slots=True)
class PowerPoint:
    """The power of one design for one contrast in one measure."""

    source: str
    region: str
    measure: str
    contrast: str
    effect_of: str  # OWN or STATED
    effect: float  # on the scale of the measure
    readers: int
    items: int
    method: str
    n: int  # experiments
    power: float
    ci95: tuple[float, float]
    type_s: float | None
    type_m: float | None
    n_failed: int

    @property
    def place(self) -> Place:
        """What the power is for."""
        return self.source, self.region, self.measure, self.contrast

    @property
    def size(self) -> tuple[int, int]:
        """The readings of an experiment, then its readers: what makes a design large."""
        return self.readers * self.items, self.readers


def found_in(results: Floats, effect: float) -> Found:
    """Summarise experiments, (experiments, 4): effect, error, freedom, p.

    >>> made = np.array([[0.2, 0.05, 50, 0.001], [-0.2, 0.05, 50, 0.001], [0.1, 0.1, 50, 0.3]])
    >>> found = found_in(made, effect=0.1)
    >>> round(found.power, 2), found.type_s, found.type_m
    (0.67, 0.5, 2.0)
    """
    estimates, p = results[:, 0], results[:, 3]
    significant = p < ALPHA
    k, n = int(significant.sum()), len(p)
    shown = estimates[significant]
    told = k > 0 and effect != 0
    return Found(
        power=k / n,
        ci95=share_interval(k / n, n),
        type_s=float((np.sign(shown) != np.sign(effect)).mean()) if told else None,
        type_m=float(np.abs(shown).mean() / abs(effect)) if told else None,
        n_failed=int(np.isnan(estimates).sum()),
    )


def smallest(points: Iterable[PowerPoint]) -> PowerPoint | None:
    """Return the design with the fewest readings whose power is at least 80 %; None where none is.

    Of designs with as many readings the one with fewer readers.
    """
    enough = [point for point in points if point.power >= ENOUGH]
    return min(enough, key=lambda point: point.size) if enough else None


def curves(points: Iterable[PowerPoint]) -> dict[tuple[Place, str], list[PowerPoint]]:
    """Return the points that belong together: the designs of one place and effect, own or stated."""
    found: dict[tuple[Place, str], list[PowerPoint]] = {}
    for point in points:
        found.setdefault((point.place, point.effect_of), []).append(point)
    return found


def power_points(
    keeper: Keeper,
    options: PilotOptions,
    laboratory: Laboratory,
    found: dict[str, SourceEffects],
    stated: Sequence[StatedEffect],
    n_items: int,
) -> list[PowerPoint]:
    """Simulate experiments of every size and summarise them."""
    tasks = _all_tasks(options, found, stated, n_items)
    pools = {
        name: digest(*(v.tobytes().hex() for v in pool.values.values()))
        for name, pool in laboratory.pools.items()
    }
    plan = laboratory.plan
    components, matrix = repr(laboratory.components), plan.contrasts.matrix.tolist()
    made_from = [pools, components, plan.by_group, matrix, laboratory.seed]
    parts = keeper.each("experiments", experiment, laboratory, tasks, made_from)
    unclear = {effect.place for own in found.values() for effect in own.effects if not effect.clear}
    results: dict[ExperimentTask, list[dict[Cell, Any]]] = {}
    for task, part in zip(tasks, parts, strict=True):
        results.setdefault(replace(task, first=0, count=0), []).append(dict(part))
    return [
        point
        for task, parts_ in results.items()
        for cell in task.cells
        for point in _points(laboratory, task, cell, np.concatenate([part[cell] for part in parts_]), unclear)
    ]


def _all_tasks(
    options: PilotOptions, found: dict[str, SourceEffects], stated: Sequence[StatedEffect], n_items: int
) -> list[ExperimentTask]:
    """Return the experiments of every size: for each source's own effects, and for those that are stated."""
    tasks: list[ExperimentTask] = []
    n = options.experiments
    for source, own in found.items():
        cells = tuple(cell for cell in own.components if cell[0] in options.regions)
        wanted: list[tuple[tuple[Cell, ...], Effects]] = [(cells, ())] if source != HUMAN and cells else []
        wanted += [
            ((cell,), ((cell[1], effect.on_scale(own.components[cell])),))
            for effect in stated
            for cell in cells
            if cell[1] == effect.measure.name
        ]
        tasks += [
            ExperimentTask(source, design, measured, first, min(AT_ONCE, n - first), effects)
            for design in options.sizes(n_items)
            for measured, effects in wanted
            for first in range(0, n, AT_ONCE)
        ]
    return tasks


def _points(
    laboratory: Laboratory,
    task: ExperimentTask,
    cell: Cell,
    results: np.ndarray[Any, Any],
    unclear: Collection[Place],
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
        of, size = OWN if stated is None else STATED, task.design
        points.append(
            PowerPoint(
                task.model,
                *cell,
                contrast,
                of,
                effect,
                size.readers,
                size.items,
                method,
                len(results),
                **asdict(found),
            )
        )
    return points

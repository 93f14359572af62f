"""Simulated experiments: what may be planned, readers and items by Latin square, and what is found.

Readings are drawn from a pool, or made from the variances that a mixed model has found in one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import expit

from scandl.errors import ScandlError, did_you_mean
from scandl.seeds import stream
from scandl.statistics.bootstrap import Floats
from scandl_analysis.piloting.mixed_model import Kind, Reml
from scandl_analysis.piloting.planned_regression import Contrasts, Plan, analysed
from scandl_analysis.piloting.reading_pool import DEFAULT, REGIONS, Cell, ReadingPool, ReadingRows
from scandl_analysis.piloting.stimuli import latin_square

RESAMPLED, PARAMETRIC = "resampled", "parametric"
MOST = 2_000  # readers, items
Effects = tuple[tuple[str, float], ...]
"""By measure, on the scale of the measure."""


@dataclass(frozen=True, slots=True)
class Components:
    """The parameters of a mixed model: everything an experiment can be simulated from."""

    effects: tuple[float, ...]  # the intercept first, then one per contrast
    reader: tuple[float, ...]  # standard deviations, of intercept and contrasts
    item: tuple[float, ...]
    residual: float  # standard deviation; of counts the root of the dispersion
    missing: tuple[float, ...]  # share of readings without a value in each condition

    def with_effect(self, effect: float) -> Components:
        """Return the components with another effect of every contrast."""
        return replace(self, effects=(self.effects[0], *([effect] * (len(self.effects) - 1))))

    def spread_out(self, known: Mapping[str, float], scale: str, columns: Collection[int]) -> Components:
        """Return the components with readers who differ as people do, as far as a model's card knows.

        ``known`` has by scale the share of people's standard deviation that simulated readers have, and what
        slopes of people have of their intercepts'; ``columns`` of the design are those that differ.
        """
        intercept = self.reader[0] / min(known.get(scale, 1.0), 1.0)
        least = known.get("slopes", 0.0) * intercept
        slopes = (max(sd, least * (k in columns)) for k, sd in enumerate(self.reader[1:], start=1))
        return replace(self, reader=(intercept, *slopes))


def components_of(found: Reml, plan: Plan, missing: Floats) -> Components:
    """Return the components that a regression estimated."""
    width = plan.contrasts.matrix.shape[1]
    deviations = np.sqrt(found.variances)
    split = len(plan.columns("reader"))
    reader = np.zeros(width)
    reader[list(plan.columns("reader"))] = deviations[:split]
    item = np.zeros(width)
    item[list(plan.columns("item"))] = deviations[split:]
    return Components(
        tuple(found.effects.tolist()),
        tuple(reader.tolist()),
        tuple(item.tolist()),
        float(np.sqrt(found.residual)),
        tuple(missing.tolist()),
    )


def simulate(
    components: Components,
    contrasts: Contrasts,
    rows: ReadingRows,
    kind: Kind,
    rng: np.random.Generator,
    *,
    effect: float | None = None,
) -> ReadingRows:
    """Return the rows with outcomes: log-normal times, binary outcomes, or counts.

    Counts are negative binomial where their dispersion is above 1, and Poisson where it is not: an
    experiment on counts that vary less than Poisson ones is then simulated as noisier than it is.
    """
    if effect is not None:
        components = components.with_effect(effect)
    x = contrasts.matrix[rows.condition]
    eta = x @ np.array(components.effects)
    for levels, deviations in ((rows.reader, components.reader), (rows.item, components.item)):
        drawn = rng.normal(size=(int(levels.max()) + 1, x.shape[1])) * np.array(deviations)
        eta += (x * drawn[levels]).sum(axis=1)
    y = _outcomes(eta, components.residual, kind, rng)
    y[rng.random(len(y)) < np.array(components.missing)[rows.condition]] = np.nan
    return replace(rows, y=y)


def _outcomes(eta: Floats, residual: float, kind: Kind, rng: np.random.Generator) -> Floats:
    if kind == "gaussian":
        return np.exp(eta + residual * rng.normal(size=len(eta)))
    if kind == "bernoulli":
        return (rng.random(len(eta)) < expit(eta)).astype(float)
    mean = np.exp(eta)
    over = residual**2 - 1
    if over < 1e-3:
        return rng.poisson(mean).astype(float)
    return rng.poisson(rng.gamma(mean / over, over)).astype(float)


def log_effect(ms: float, intercept: float) -> float:
    """Return the effect on log times that separates two medians around exp(intercept) by ``ms``.

    >>> round(added_ms(log_effect(25.0, 5.5), 5.5), 6)
    25.0
    """
    return float(2 * np.arcsinh(ms / (2 * np.exp(intercept))))


def added_ms(effect: float, intercept: float) -> float:
    """Return the difference of the medians, in ms, that an effect on log times makes."""
    return float(2 * np.exp(intercept) * np.sinh(effect / 2))


@dataclass(frozen=True, slots=True)
class ExperimentSize:
    """The size of an experiment."""

    readers: int
    items: int

    def __str__(self) -> str:
        return f"{self.readers} readers × {self.items} items"


@dataclass(frozen=True, slots=True)
class ExperimentTask:
    """Some experiments of one design, all on readings of one model."""

    model: str
    design: ExperimentSize
    cells: tuple[Cell, ...]
    first: int
    count: int
    effects: Effects = ()  # stated ones


@dataclass(frozen=True, slots=True)
class Laboratory:
    """What workers that experiment have to know."""

    plan: Plan
    kinds: Mapping[str, Kind]  # of measures
    pools: Mapping[str, ReadingPool]  # of models
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
                seen = ReadingRows(
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


def assigned(laboratory: Laboratory, task: ExperimentTask, rng: np.random.Generator) -> ReadingRows:
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
    return ReadingRows(
        np.full(design.readers * design.items, np.nan),
        np.repeat(readers, design.items),
        np.tile(items, design.readers),
        conditions.ravel(),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PilotOptions:
    """The plan of a pilot."""

    models: tuple[str, ...] = ("people", "ezreader", "swift")
    readers: tuple[int, ...] = (24, 32, 48, 64)
    items: tuple[int, ...] = ()  # none: all items of the stimuli
    measures: tuple[str, ...] = DEFAULT
    contrast: str = "condition"
    regions: tuple[str, ...] = ("critical",)  # whose power is computed; effects are of all regions
    formula: str = ""  # none: the contrast, and all that readers and items can have
    effects: tuple[str, ...] = ()
    experiments: int = 200  # of each design
    pool: int = 0  # simulated readers; 0: four times the largest number of readers
    surprisal: str = "auto"
    context: str | None = None  # who tells trained models how expected words are; None: as they ship
    language: str = "en"
    seed: int = 1

    def __post_init__(self) -> None:
        _whole("--readers", self.readers, 4)
        _whole("--items", self.items, 4)
        if self.experiments < 20:
            raise ScandlError(f"--experiments {self.experiments}: expected at least 20")
        if not self.models or not self.measures or not self.readers:
            raise ScandlError("a pilot needs a model, a measure and a number of readers")
        if self.formula and self.contrast != "condition":
            raise ScandlError("--contrast and --formula exclude each other: a formula has its contrasts")
        for region in self.regions:
            if region not in REGIONS:
                raise ScandlError(f"no region {region!r}{did_you_mean(region, REGIONS)}")

    @property
    def pool_size(self) -> int:
        """The number of simulated readers: many more than any experiment has."""
        return max(self.pool or 4 * max(self.readers), max(self.readers))

    def sizes(self, n_items: int) -> list[ExperimentSize]:
        """Return the designs of the power curves, small ones first."""
        items = self.items or (n_items,)
        return [ExperimentSize(r, i) for i in sorted(set(items)) for r in sorted(set(self.readers))]


def _whole(flag: str, numbers: tuple[int, ...], least: int) -> None:
    for number in numbers:
        if not least <= number <= MOST:
            raise ScandlError(f"{flag} {number}: expected {least} to {MOST:,}")

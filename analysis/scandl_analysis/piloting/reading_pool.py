"""A pool of simulated readings: many readers, each of whom reads every version of every item once.

Experiments are drawn from it by Latin square. A real reader sees one version of an item; the readings of
a simulated reader do not know of each other, so that which of them an experiment takes does not matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np

from scandl.files.results import atomic_file
from scandl_analysis.mixed.crossed_rows import Floats, Indices
from scandl_analysis.piloting.design.stimuli import Stimuli
from scandl_analysis.piloting.planned_measures import PlannedMeasure
from scandl_analysis.piloting.region_measures import Cell, cells_of, region_measures
from scandl_analysis.piloting.simulated_readers import Surprisals, open_readers


@dataclass(frozen=True, slots=True)
class Pool:
    """The values of every measure: (readers, items, conditions), NaN where it is not defined."""

    values: Mapping[Cell, Floats]

    @property
    def shape(self) -> tuple[int, int, int]:
        """Readers, items and conditions."""
        readers, items, conditions = next(iter(self.values.values())).shape
        return readers, items, conditions


@dataclass(frozen=True, slots=True)
class Rows:
    """The values of one measure, a row per reading."""

    y: Floats
    reader: Indices
    item: Indices
    condition: Indices

    def known(self) -> Rows:
        """Return the rows that have a value."""
        keep = ~np.isnan(self.y)
        return Rows(self.y[keep], self.reader[keep], self.item[keep], self.condition[keep])


@dataclass(frozen=True, slots=True)
class Lesson:
    """What workers that read have to know."""

    stimuli: Stimuli
    measures: tuple[PlannedMeasure, ...]
    surprisals: Surprisals
    language: str
    seed: int


@dataclass(frozen=True, slots=True)
class ReadTask:
    """Some readers of one model."""

    model: str
    first: int
    count: int


def read(lesson: Lesson, task: ReadTask) -> dict[Cell, Floats]:
    """Let some readers read everything; this is what workers run."""
    every = lesson.stimuli.every
    sentences = tuple(stimulus.sentence for stimulus in every)
    readers = open_readers(task.model, sentences, lesson.surprisals, lesson.language)
    paths = readers.read(sentences, task.first, task.count, seed=lesson.seed)
    wanted = cells_of(lesson.measures, has_region=lesson.stimuli.has_region)
    found: dict[Cell, list[float]] = {cell: [] for cell in wanted}
    for k, path in enumerate(paths):
        stimulus = every[k % len(every)]
        values = region_measures(path, len(stimulus.words), stimulus.region, lesson.measures)
        for cell in wanted:
            found[cell].append(values[cell])
    shape = (task.count, len(lesson.stimuli.items), len(lesson.stimuli.conditions))
    return {cell: np.array(values).reshape(shape) for cell, values in found.items()}


def joined(parts: Sequence[Mapping[Cell, Floats]]) -> Pool:
    """Return the pool of several groups of readers."""
    return Pool({cell: np.concatenate([part[cell] for part in parts]) for cell in parts[0]})


def all_rows(values: Floats) -> Rows:
    """Return every reading of a measure as a row."""
    readers, items, conditions = values.shape
    reader, item, condition = (
        np.broadcast_to(axis, values.shape).ravel() for axis in np.ogrid[:readers, :items, :conditions]
    )
    return Rows(values.ravel(), reader, item, condition)


def save_values(path: Path, values: Mapping[Cell, Floats]) -> None:
    """Write values, whole or not at all."""
    with atomic_file(path) as temporary, temporary.open("wb") as stream:
        named = {f"{region}/{measure}": array for (region, measure), array in values.items()}
        np.savez_compressed(stream, **named)  # type: ignore[arg-type]


def load_values(path: Path) -> dict[Cell, Floats]:
    """Read values back."""
    with np.load(BytesIO(path.read_bytes())) as stored:
        return {tuple(name.split("/", 1)): stored[name] for name in stored.files}

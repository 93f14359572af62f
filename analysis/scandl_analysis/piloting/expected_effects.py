"""The effects a model expects, from all its readings; human ones beside them where readers are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.stats import t as student

from scandl.corpora import Corpus
from scandl.errors import ScandlError
from scandl.statistics.bootstrap import Floats
from scandl_analysis.piloting.experiments import Components, added_ms, components_of
from scandl_analysis.piloting.mixed_model import Reml
from scandl_analysis.piloting.planned_regression import Plan, leaves_out_0, regression
from scandl_analysis.piloting.reading_pool import (
    Cell,
    PlannedMeasure,
    ReadingPool,
    ReadingRows,
    all_rows,
    cells_of,
    region_measures,
)
from scandl_analysis.piloting.stimuli import Stimuli

HUMAN = "human"
MOST_READERS = 96  # that effects are estimated from: each reads every version, so more add little

Place = tuple[str, str, str, str]
"""A source, a region, a measure and a contrast."""


@dataclass(frozen=True, slots=True)
class ExpectedEffect:
    """One contrast in one measure of one region; ``ms`` where the measure is a time."""

    source: str
    region: str
    measure: str
    contrast: str
    scale: str
    effect: float
    ci95: tuple[float, float]
    p: float
    ms: float | None
    ms_ci95: tuple[float, float] | None
    n: int  # readings with a value
    missing: float  # share of readings without one

    @property
    def place(self) -> Place:
        """What it is an effect of."""
        return self.source, self.region, self.measure, self.contrast

    @property
    def clear(self) -> bool:
        """Whether the interval leaves out 0."""
        return leaves_out_0(self.ci95)


@dataclass(frozen=True, slots=True)
class SourceEffects:
    """What one source says: its effects, and the components experiments can be simulated from."""

    effects: list[ExpectedEffect]
    components: dict[Cell, Components]
    notes: list[str]


def pool_effects(
    source: str, pool: ReadingPool, plan: Plan, measures: Sequence[PlannedMeasure]
) -> SourceEffects:
    """Estimate the effects of a model from its pool of readings."""
    rows = {cell: all_rows(values[:MOST_READERS]) for cell, values in pool.values.items()}
    return _effects(source, rows, plan, measures)


def human_effects(
    corpus: Corpus, stimuli: Stimuli, plan: Plan, measures: Sequence[PlannedMeasure]
) -> SourceEffects:
    """Estimate the effects of people who read these very stimuli, found by their texts."""
    return _effects(HUMAN, human_rows(corpus, stimuli, measures), plan, measures)


def human_rows(
    corpus: Corpus, stimuli: Stimuli, measures: Sequence[PlannedMeasure]
) -> dict[Cell, ReadingRows]:
    """Return the measures of a corpus in the regions of the stimuli."""
    by_text = {stimulus.text: stimulus for stimulus in stimuli.every}
    readers: dict[str, int] = {}
    places = []
    wanted = cells_of(measures, has_region=stimuli.has_region)
    found: dict[Cell, list[float]] = {cell: [] for cell in wanted}
    for path in corpus.scanpaths:
        stimulus = by_text.get(" ".join(corpus.sentences[path.sentence_id].text.split()))
        if stimulus is None:
            continue
        reader = readers.setdefault(path.reader_id, len(readers))
        places.append(
            (reader, stimuli.items.index(stimulus.item_id), stimuli.conditions.index(stimulus.condition))
        )
        values = region_measures(path, len(stimulus.words), stimulus.region, measures)
        for cell in wanted:
            found[cell].append(values[cell])
    if len(readers) < 2:
        raise ScandlError(
            f"corpus {corpus.name!r}: {len(readers)} of its readers read these stimuli, expected 2"
        )
    reader, item, condition = np.array(places).T
    return {cell: ReadingRows(np.array(values), reader, item, condition) for cell, values in found.items()}


def _effects(
    source: str, rows: Mapping[Cell, ReadingRows], plan: Plan, measures: Sequence[PlannedMeasure]
) -> SourceEffects:
    by_name = {measure.name: measure for measure in measures}
    effects: list[ExpectedEffect] = []
    components: dict[Cell, Components] = {}
    notes: list[str] = []
    for cell, own in rows.items():
        measure = by_name[cell[1]]
        if np.isnan(own.y).all():
            notes.append(f"{source}: no {measure.name} of the {cell[0]} region in any reading")
            continue
        found = regression(own, plan, measure.kind)
        if found is None:
            notes.append(f"{source}: {measure.name} of the {cell[0]} region is the same in all readings")
            continue
        missing = _missing(own, len(plan.contrasts.matrix))
        components[cell] = components_of(found, plan, missing)
        effects += _estimates(source, cell, measure, found, plan, own)
    return SourceEffects(effects, components, notes)


def _estimates(
    source: str, cell: Cell, measure: PlannedMeasure, found: Reml, plan: Plan, rows: ReadingRows
) -> list[ExpectedEffect]:
    """Return the effect of each contrast with its interval; interactions have no time of their own."""
    margin = np.asarray(student.ppf(0.975, found.freedom)) * found.errors
    p = np.asarray(2 * student.sf(np.abs(found.effects / found.errors), found.freedom))
    lacking = np.isnan(rows.y)
    n, missing = int((~lacking).sum()), float(lacking.mean())
    told = []
    for k, contrast in enumerate(plan.contrasts.names, start=1):
        effect, low, high = (float(found.effects[k] + side * margin[k]) for side in (0, -1, 1))
        ms: float | None = None
        ms_ci95: tuple[float, float] | None = None
        if measure.kind == "gaussian" and not plan.contrasts.is_interaction(k - 1):
            ms, *ends = (added_ms(x, float(found.effects[0])) for x in (effect, low, high))
            ms_ci95 = (ends[0], ends[1])
        interval, of_t = (low, high), float(p[k])
        told.append(
            ExpectedEffect(
                source, *cell, contrast, measure.scale, effect, interval, of_t, ms, ms_ci95, n, missing
            )
        )
    return told


def _missing(rows: ReadingRows, n_conditions: int) -> Floats:
    lacking = np.isnan(rows.y)
    return np.array([lacking[rows.condition == c].mean() for c in range(n_conditions)])


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two sources agree about the signs of effects."""

    one: str
    other: str
    n: int  # effects both have
    same_sign: int
    n_clear: int  # effects of which both are sure
    clear_same_sign: int


def agreements(effects: Sequence[ExpectedEffect]) -> list[Agreement]:
    """Compare the sources two by two."""
    by_source: dict[str, dict[tuple[str, ...], ExpectedEffect]] = {}
    for effect in effects:
        by_source.setdefault(effect.source, {})[effect.place[1:]] = effect
    found = []
    for one, other in combinations(by_source, 2):
        theirs = by_source[other]
        both = [(effect, theirs[key]) for key, effect in by_source[one].items() if key in theirs]
        clear = [(a, b) for a, b in both if a.clear and b.clear]
        found.append(Agreement(one, other, len(both), _same(both), len(clear), _same(clear)))
    return found


def _same(pairs: Sequence[tuple[ExpectedEffect, ExpectedEffect]]) -> int:
    return sum((a.effect > 0) == (b.effect > 0) for a, b in pairs)

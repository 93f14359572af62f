"""Measures of regions, and a pool of simulated readings: many readers, each of whom reads every version once.

Experiments are drawn from it by Latin square. A real reader sees one version of an item; the readings of
a simulated reader do not know of each other, so that which of them an experiment takes does not matter.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from scandl.errors import ScandlError, did_you_mean
from scandl.files.manifest import Pieces, code_digest, digest
from scandl.files.results import atomic_file
from scandl.measures.measure_names import our_name
from scandl.measures.word_measures import timed_measures, word_measures
from scandl.models.catalogue import open_model
from scandl.models.model import Model
from scandl.models.readings import ReaderChoice, prepared, readings, text_corpus
from scandl.models.trained_model import ModelOptions, TrainedModel
from scandl.records import Scanpath, Sentence
from scandl.statistics.bootstrap import Floats
from scandl.workers import track, workers
from scandl_analysis.piloting.mixed_model import Indices, Kind
from scandl_analysis.piloting.stimuli import Region, Stimuli

Work = TypeVar("Work")
Surprisals = tuple[tuple[str, tuple[float, ...]], ...]
"""Texts with the surprisal of their words in nats; NaN where it is not known."""


DEFAULT = ("sr", "FFD", "FPRT", "RPD", "TFT", "tfc")
REGIONS = ("critical", "spillover", "sentence")
TIMES = ("FFD", "SFD", "FD", "FPRT", "FRT", "RPD_inc", "RPD_exc", "RBRT", "TFT", "RRT")
SHARES = ("sr", "fpr", "Fix", "FPF", "FPReg", "RR")
COUNTS = ("ffc", "tfc", "FPFC", "TRC_in", "TRC_out")
OF_SENTENCES = ("TFT", "tfc")
"""What a whole sentence has: the time and the number of all fixations."""
_SHORT = {"RPD": "RPD_inc", "GD": "FPRT", "gaze": "FPRT"}
Cell = tuple[str, str]
"""A region and a measure of it."""
_BEFORE, _CRITICAL, _SPILLOVER, _AFTER = range(4)


@dataclass(frozen=True, slots=True)
class PlannedMeasure:
    """A measure by the name the user gave it."""

    name: str
    ours: str  # its name in the tables of measures

    @property
    def kind(self) -> Kind:
        """Its distribution; times are normal on the log scale."""
        return "gaussian" if self.ours in TIMES else "bernoulli" if self.ours in SHARES else "poisson"

    @property
    def scale(self) -> str:
        """The scale of its effects."""
        return {"gaussian": "log ms", "bernoulli": "log odds", "poisson": "log count"}[self.kind]


def planned_measure(name: str) -> PlannedMeasure:
    """Return the measure a name means.

    >>> planned_measure("RPD").ours, planned_measure("sr").kind, planned_measure("IA_DWELL_TIME").ours
    ('RPD_inc', 'bernoulli', 'TFT')
    """
    known = (*SHARES, *TIMES, *COUNTS)
    if name in known:
        return PlannedMeasure(name, name)
    if name in _SHORT:
        return PlannedMeasure(name, _SHORT[name])
    try:
        return PlannedMeasure(name, our_name(name))
    except ScandlError:
        raise ScandlError(f"no reading measure {name!r}{did_you_mean(name, (*known, *_SHORT))}") from None


def cells_of(measures: Sequence[PlannedMeasure], *, has_region: bool) -> list[Cell]:
    """Return what is measured: every measure of both regions, and of the sentence what it can have."""
    words = [(region, m.name) for region in ("critical", "spillover") for m in measures] if has_region else []
    return words + [("sentence", m.name) for m in measures if m.ours in OF_SENTENCES]


def region_measures(
    path: Scanpath, n_words: int, region: Region | None, measures: Sequence[PlannedMeasure]
) -> dict[Cell, float]:
    """Return every measure; NaN where it is not defined, such as the time of a region that was skipped.

    A region is read as one area, however many words it has. Times of 0 have no logarithm and are NaN.

    >>> path = Scanpath("r", "s", (0, 2, 3, 2, 4), (200.0, 250.0, 100.0, 150.0, 200.0))
    >>> found = region_measures(path, 5, (2, 3), [planned_measure("FPRT"), planned_measure("TFT")])
    >>> found["critical", "FPRT"], found["spillover", "FPRT"], found["sentence", "TFT"]
    (500.0, 200.0, 900.0)
    """
    found: dict[Cell, float] = {}
    if region is not None:
        own = _values([_area(word, region) for word in path.positions], path.durations, 4, measures)
        found |= {("critical", m.name): own[m.ours][_CRITICAL] for m in measures}
        spills = region[1] + 1 < n_words
        found |= {("spillover", m.name): own[m.ours][_SPILLOVER] if spills else math.nan for m in measures}
    whole = [m for m in measures if m.ours in OF_SENTENCES]
    if whole:
        own = _values([0] * len(path.positions), path.durations, 1, whole)
        found |= {("sentence", m.name): own[m.ours][0] for m in whole}
    return found


def _area(word: int, region: Region) -> int:
    """Return the area of a word: what lies before, the region, the word after it, the rest.

    Measures of the region ask only whether the eyes are left of it, on it or right of it.
    """
    first, last = region
    if word < first:
        return _BEFORE
    if word <= last:
        return _CRITICAL
    return _SPILLOVER if word == last + 1 else _AFTER


def _values(
    areas: list[int], durations: Sequence[float] | None, n: int, measures: Sequence[PlannedMeasure]
) -> dict[str, list[float]]:
    timed = timed_measures(areas, durations, n)
    counted = word_measures(areas, n, "firstpass")
    return {m.ours: [_number(v, m) for v in (timed | counted)[m.ours]] for m in measures}


def _number(value: float | None, measure: PlannedMeasure) -> float:
    if value is None or (measure.ours in TIMES and value <= 0):
        return math.nan
    return float(value)


@dataclass(frozen=True)
class SimulatedReaders:
    """The readers of a model that is ready to read."""

    model: Model
    language: str = "en"  # of what they read

    @property
    def about(self) -> str:
        """What has to be said of its readers."""
        differ = self.model.with_readers().readers_differ
        about = [self.model.about] if isinstance(self.model, TrainedModel) else []
        return "; ".join(filter(None, [*about, differ, self.model.context_about(self.language)]))

    @property
    def spread(self) -> Mapping[str, float]:
        """What the card of the model knows of how much its readers differ; see ``Components.spread_out``."""
        card = self.model.card if isinstance(self.model, TrainedModel) else None
        return {} if card is None else card.reader_spread

    def read(self, sentences: Sequence[Sentence], first: int, count: int, *, seed: int) -> list[Scanpath]:
        """Return the scanpaths of readers ``first`` to ``first + count − 1``, reader by reader."""
        texts = [sentence.in_language(self.language) for sentence in sentences]
        made = readings(self.model, texts, readers=ReaderChoice(count, first), seed=seed)
        paths = [Scanpath(p.reader_id or "", p.sentence_id, p.predicted, p.durations) for p in made]
        return [path for reader in range(count) for path in paths[reader::count]]


@lru_cache(maxsize=4)
def open_readers(
    name: str,
    sentences: tuple[Sentence, ...],
    surprisals: Surprisals,
    language: str = "en",
    context: str | None = None,
) -> SimulatedReaders:
    """Open a model by name or file; kept, because a worker asks for it again with every task."""
    by_text = dict(surprisals)
    known = {s.sentence_id: by_text[s.text] for s in sentences if s.text in by_text}
    words = {key: tuple(map(_probability, values)) for key, values in known.items()}
    texts = replace(text_corpus(sentences, language), words={"probability": words} if words else {})
    return SimulatedReaders(prepared(open_model(name, ModelOptions(context=context)), texts), language)


def _probability(surprisal: float) -> str:
    """Return the probability of a word as a table has it; a word nothing is known of is not expected."""
    return repr(0.0 if math.isnan(surprisal) else math.exp(-max(surprisal, 0.0)))


@dataclass(frozen=True, slots=True)
class ReadingPool:
    """The values of every measure: (readers, items, conditions), NaN where it is not defined."""

    values: Mapping[Cell, Floats]

    @property
    def shape(self) -> tuple[int, int, int]:
        """Readers, items and conditions."""
        readers, items, conditions = next(iter(self.values.values())).shape
        return readers, items, conditions


@dataclass(frozen=True, slots=True)
class ReadingRows:
    """The values of one measure, a row per reading."""

    y: Floats
    reader: Indices
    item: Indices
    condition: Indices

    def known(self) -> ReadingRows:
        """Return the rows that have a value."""
        keep = ~np.isnan(self.y)
        return ReadingRows(self.y[keep], self.reader[keep], self.item[keep], self.condition[keep])


@dataclass(frozen=True, slots=True)
class Lesson:
    """What workers that read have to know."""

    stimuli: Stimuli
    measures: tuple[PlannedMeasure, ...]
    surprisals: Surprisals
    language: str
    seed: int
    context: str | None = None

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The stimuli as models take them."""
        return tuple(stimulus.sentence for stimulus in self.stimuli.every)

    def readers(self, model: str) -> SimulatedReaders:
        """Return a model that is ready to read."""
        return open_readers(model, self.sentences, self.surprisals, self.language, self.context)


@dataclass(frozen=True, slots=True)
class ReadTask:
    """Some readers of one model."""

    model: str
    first: int
    count: int


def read(lesson: Lesson, task: ReadTask) -> dict[Cell, Floats]:
    """Let some readers read everything; this is what workers run."""
    every = lesson.stimuli.every
    paths = lesson.readers(task.model).read(lesson.sentences, task.first, task.count, seed=lesson.seed)
    wanted = cells_of(lesson.measures, has_region=lesson.stimuli.has_region)
    found: dict[Cell, list[float]] = {cell: [] for cell in wanted}
    for k, path in enumerate(paths):
        stimulus = every[k % len(every)]
        values = region_measures(path, len(stimulus.words), stimulus.region, lesson.measures)
        for cell in wanted:
            found[cell].append(values[cell])
    shape = (task.count, len(lesson.stimuli.items), len(lesson.stimuli.conditions))
    return {cell: np.array(values).reshape(shape) for cell, values in found.items()}


def joined(parts: Sequence[Mapping[Cell, Floats]]) -> ReadingPool:
    """Return the pool of several groups of readers."""
    return ReadingPool({cell: np.concatenate([part[cell] for part in parts]) for cell in parts[0]})


def all_rows(values: Floats) -> ReadingRows:
    """Return every reading of a measure as a row."""
    readers, items, conditions = values.shape
    reader, item, condition = (
        np.broadcast_to(axis, values.shape).ravel() for axis in np.ogrid[:readers, :items, :conditions]
    )
    return ReadingRows(values.ravel(), reader, item, condition)


def save_values(path: Path, values: Mapping[Cell, Floats]) -> None:
    """Write values, whole or not at all."""
    with atomic_file(path) as temporary, temporary.open("wb") as stream:
        named = {f"{region}/{measure}": array for (region, measure), array in values.items()}
        np.savez_compressed(stream, **named)  # type: ignore[arg-type]


def load_values(path: Path) -> dict[Cell, Floats]:
    """Read values back."""
    with np.load(BytesIO(path.read_bytes())) as stored:
        return {tuple(name.split("/", 1)): stored[name] for name in stored.files}


class Keeper:
    """Does tasks, here or by workers, and keeps what they made below a folder, where there is one."""

    def __init__(self, folder: Path | None, *, jobs: int, scheduler: str | None, quiet: bool) -> None:
        self._pieces = Pieces(folder) if folder is not None else None
        self._jobs, self._scheduler, self._quiet = jobs, scheduler, quiet
        self._used: set[Path] = set()

    def each(
        self,
        what: str,
        function: Callable[[Any, Work], Mapping[Cell, Floats]],
        shared: Any,
        tasks: Sequence[Work],
        made_from: Any,
    ) -> list[Mapping[Cell, Floats]]:
        """Return what each task makes; ``made_from`` is what it depends on beside itself and our code."""
        done: dict[int, Mapping[Cell, Floats]] = {}
        paths: dict[int, Path] = {}
        if self._pieces is not None:
            for n, task in enumerate(tasks):
                key = digest(code_digest(), made_from, repr(task))
                paths[n] = self._pieces.path(f"{what}/{n:05d}", key, ".npz")
                if paths[n].exists():
                    done[n] = load_values(paths[n])
            self._used |= set(paths.values())
        waiting = [n for n in range(len(tasks)) if n not in done]
        jobs = min(self._jobs, max(len(waiting), 1))
        with workers(shared, jobs=jobs, scheduler=self._scheduler if waiting else None) as crew:
            work = crew.each(function, [tasks[n] for n in waiting])
            for i, found in track(work, what, total=len(waiting), quiet=self._quiet):
                n = waiting[i]
                done[n] = found
                if self._pieces is not None:
                    save_values(paths[n], found)
                    self._pieces.seal(paths[n])
        return [done[n] for n in range(len(tasks))]

    def tidy(self) -> None:
        """Remove pieces of other versions."""
        if self._pieces is not None:
            self._pieces.drop_outdated(self._used)

"""The measures an experiment is planned for, of the critical region, the word after it and the sentence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scandl.errors import ScandlError, did_you_mean
from scandl.measures.measure_names import our_name
from scandl.measures.word_measures import timed_measures, word_measures
from scandl.records import Scanpath
from scandl_analysis.piloting.mixed_model import Kind
from scandl_analysis.piloting.stimuli import Region

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

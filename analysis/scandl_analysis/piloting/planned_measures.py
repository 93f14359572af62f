"""The measures an experiment is planned for: how they are named, distributed and told."""

from __future__ import annotations

from dataclasses import dataclass

from scandl.errors import ScandlError, did_you_mean
from scandl.measures.measure_names import our_name
from scandl_analysis.mixed.quasi_likelihood import Kind

DEFAULT = ("sr", "FFD", "FPRT", "RPD", "TFT", "tfc")
REGIONS = ("critical", "spillover", "sentence")
TIMES = ("FFD", "SFD", "FD", "FPRT", "FRT", "RPD_inc", "RPD_exc", "RBRT", "TFT", "RRT")
SHARES = ("sr", "fpr", "Fix", "FPF", "FPReg", "RR")
COUNTS = ("ffc", "tfc", "FPFC", "TRC_in", "TRC_out")
OF_SENTENCES = ("TFT", "tfc")
"""What a whole sentence has: the time and the number of all fixations."""
_SHORT = {"RPD": "RPD_inc", "GD": "FPRT", "gaze": "FPRT"}


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

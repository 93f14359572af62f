"""What can be chosen in a pilot; one set of defaults for the command and for Python."""

from __future__ import annotations

from dataclasses import dataclass

from scandl.errors import ScandlError, did_you_mean
from scandl_analysis.piloting.experiments import Design
from scandl_analysis.piloting.planned_measures import DEFAULT, REGIONS

MOST = 2_000  # readers, items


@dataclass(frozen=True, slots=True, kw_only=True)
class PilotOptions:
    """The plan of a pilot."""

    models: tuple[str, ...] = ("people", "ezreader", "swift")
    readers: tuple[int, ...] = (24, 32, 48, 64)
    items: tuple[int, ...] = ()  # none: all items of the stimuli
    measures: tuple[str, ...] = DEFAULT
    contrast: str = "condition"
    regions: tuple[str, ...] = ("critical",)  # whose power is computed; effects are of all regions
    formula: str = (
        ""  # of the planned regression; none: the contrast, and all that readers and items can have
    )
    effects: tuple[str, ...] = ()
    experiments: int = 200  # of each design
    pool: int = 0  # simulated readers; 0: four times the largest number of readers
    surprisal: str = "auto"
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

    def sizes(self, n_items: int) -> list[Design]:
        """Return the designs of the power curves, small ones first."""
        items = self.items or (n_items,)
        return [Design(r, i) for i in sorted(set(items)) for r in sorted(set(self.readers))]


def _whole(flag: str, numbers: tuple[int, ...], least: int) -> None:
    for number in numbers:
        if not least <= number <= MOST:
            raise ScandlError(f"{flag} {number}: expected {least} to {MOST:,}")

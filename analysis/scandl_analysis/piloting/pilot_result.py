"""What a pilot found: confounds, expected effects, power, and the sentence for the preregistration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scandl.files.results import Provenance
from scandl.files.tabular import Tabular
from scandl_analysis.piloting.design.confounds import Confound
from scandl_analysis.piloting.design.stimuli import Stimuli
from scandl_analysis.piloting.expected_effects import ExpectedEffect
from scandl_analysis.piloting.model_agreement import Agreement
from scandl_analysis.piloting.pilot_options import PilotOptions
from scandl_analysis.piloting.power import PowerPoint
from scandl_analysis.piloting.simulated_readers import Surprisals
from scandl_analysis.piloting.stated_effects import StatedEffect

if TYPE_CHECKING:
    import pandas as pd

    from scandl_reports.document import Report


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PilotResult(Tabular):
    """The results of a pilot; its table are the expected effects with the power for them."""

    stimuli: Stimuli
    options: PilotOptions
    contrasts: tuple[str, ...]
    formula: str  # of the planned regression, {measure} for the outcome
    about: Mapping[str, str]  # what is to be said of the readers of each model
    confounds: list[Confound]
    effects: list[ExpectedEffect]
    power: list[PowerPoint]
    agreement: list[Agreement]
    stated: list[StatedEffect]
    notes: list[str]
    surprisals: Surprisals = field(repr=False)
    provenance: Provenance = field(repr=False)

    def __repr__(self) -> str:
        n = len(self.stimuli.items)
        return (
            f"<Pilot of {n} items in {len(self.stimuli.conditions)} conditions by {', '.join(self.about)};"
            f" {len(self.effects)} effects, {len(self.power)} points of power>"
        )

    def records(self) -> list[dict[str, Any]]:
        """Return one record per expected effect."""
        return [effect.as_dict() for effect in self.effects]

    def shown(self) -> tuple[list[str], list[list[str]]]:
        """Return the table that ``scandl-analysis pilot`` prints."""
        from scandl_analysis.piloting.pilot_tables import effect_cells

        return effect_cells(self)

    def power_frame(self) -> pd.DataFrame:
        """Return the power of every design."""
        return _frame([point.as_dict() for point in self.power])

    def confound_frame(self) -> pd.DataFrame:
        """Return what differs between the conditions beside what is meant to."""
        return _frame([each.as_dict(self.stimuli.conditions) for each in self.confounds])

    def sentences(self) -> list[str]:
        """Return the sentences for a preregistration, one per curve of power."""
        from scandl_analysis.piloting.preregistration import sentences

        return sentences(self)

    def as_report(self) -> Report:
        """Return the page as a value."""
        from scandl_analysis.chapters.pilot_report import build_pilot_report

        return build_pilot_report(self)

    def report(self, path: Path | str) -> None:
        """Write the report, .html, .pdf, .txt or .tex by the ending."""
        from scandl_reports.writing import check_form, write_report

        check_form(path)
        write_report(self.as_report(), path)


def _frame(records: list[dict[str, Any]]) -> pd.DataFrame:
    import pandas as pd

    from scandl.files.tabular import flat_record

    return pd.DataFrame([flat_record(record) for record in records])

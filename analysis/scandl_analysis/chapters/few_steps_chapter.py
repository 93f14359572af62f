"""The chapter of a report on few-step sampling: quality by the number of denoising steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from scandl_analysis.chapters.result_tables import read_numbers, records, span
from scandl_reports.document import Section
from scandl_reports.figures.chart import About
from scandl_reports.figures.estimates import Estimate, curve_panels_figure

STEPS = "steps.csv"
"""The table that ``scandl-eval steps`` writes."""

QUANTITIES = {
    "nld": "NLD",
    "energy": "energy distance",
    "diversity": "diversity",
    "repaired": "share repaired",
}


def steps_sections(run: Path) -> list[Section]:
    """Return the curves of the models whose numbers of steps were compared, if any were."""
    tables = {_name(path, run): read_steps(path) for path in sorted(run.rglob(STEPS))}
    if not tables:
        return []
    about = About(
        "Quality by the number of denoising steps",
        f"NLD, energy distance, diversity and share of repaired paths of {len(tables)} models over steps.",
        "One line a model, the band is its 95 % interval. Fewer steps are worth having while the energy "
        "distance stays inside the interval of the most steps; NLD hardly shows what is lost.",
    )
    panels = {title: _curves(tables, column) for column, title in QUANTITIES.items()}
    return [Section("Few-step sampling", (curve_panels_figure(about, panels, x_label="steps", log_x=True),))]


def read_steps(path: Path) -> pd.DataFrame:
    """Return the rows of a table of steps."""
    return read_numbers(path, ("steps", "nld", "energy", "diversity"))


def _curves(tables: Mapping[str, pd.DataFrame], column: str) -> dict[str, Sequence[tuple[float, Estimate]]]:
    """Return value and interval over steps; what a table does not have is left out."""
    return {
        name: [
            (row["steps"], Estimate(row[column], span(row.get(f"{column}_low"), row.get(f"{column}_high"))))
            for row in records(table)
            if row.get(column) is not None
        ]
        for name, table in tables.items()
    }


def _name(path: Path, run: Path) -> str:
    """Return what to call the model of a table: the folder below the run, or the run."""
    folder = path.parent.relative_to(run)
    return str(folder) if folder.parts else run.resolve().name

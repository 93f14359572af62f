"""The reports of this room: of a whole run, and of a scoring command."""

from __future__ import annotations

from pathlib import Path

from scandl_eval.reporting.run_report import build_run_report
from scandl_eval.reporting.scoring_report import build_scoring_report
from scandl_reports.writing import check_form, save_report, usual_reports, write_report

__all__ = ["build_run_report", "build_scoring_report", "check_form", "write_report", "write_run_report"]

DOCUMENT = "report.json"
"""The report as data, to which ``scandl-analysis report`` adds its chapters."""


def write_run_report(folder: Path | str, *more: Path | str, paper: str = "a4") -> None:
    """Write the usual reports and the report as data into a run folder, and more copies."""
    run = Path(folder)
    report = build_run_report(run)
    save_report(report, run / DOCUMENT)
    write_report(report, *usual_reports(run), *more, paper=paper)

"""Everything of a run in one report: what the benchmark said, and the effects beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from scandl.errors import DataError, Fact
from scandl.provenance import provenance
from scandl.splits import SETTINGS
from scandl.tables import read_table
from scandl_analysis.learning_curves import learning_sections
from scandl_analysis.psycholing_report import (
    EFFECTS,
    TERMS,
    Effects,
    effects_finding,
    effects_section,
    read_effects,
)
from scandl_reports.document import Block, Column, Finding, Note, Report, Section, Table
from scandl_reports.origin import provenance_rows
from scandl_reports.storage import load_report
from scandl_reports.writing import write_report

if TYPE_CHECKING:
    from scandl_analysis.psycholing import Psycholing

DOCUMENT = "report.json"
"""The benchmark's report as data, which ``scandl-eval run`` leaves in the run folder."""

OTHER_TABLES = {"variability.csv": "Variability", "correlations.csv": "Correlations"}


def build_full_report(folder: Path | str) -> Report:
    """Return the report of a run with its analyses; what it lacks is said, with the command for it."""
    run = Path(folder)
    if not run.is_dir():
        raise DataError(run, None, None, Fact("no folder"), "the folder of a benchmark run")
    base = _benchmark(run)
    analyses = [read_effects(path.parent) for path in sorted(run.rglob(EFFECTS)) if not _hidden(path, run)]
    added = [*map(effects_section, analyses), *_others(run), *learning_sections(run)]
    verdict = [finding for finding in base.verdict if finding.about != "Effects"]
    verdict += map(effects_finding, analyses) if analyses else _no_effects(run)
    whole = base.with_sections([*added, *_missing(run, analyses)], TERMS if analyses else ())
    return replace(whole, verdict=tuple(verdict), provenance=(*base.provenance, *_provenance(analyses)))


def build_effects_report(found: Effects) -> Report:
    """Return the report of one analysis alone."""
    return Report(
        f"Effects of words on reading: {found.setting}",
        "Bayesian regressions of reading measures on word length, frequency and surprisal, human and model",
        (effects_finding(found),),
        (effects_section(found),),
        TERMS,
        _provenance([found]),
    )


def build_psycholing_report(found: Psycholing) -> Report:
    """Return the report of an analysis that was just made."""
    notes = (*found.notes, *found.warnings)
    effects = Effects(None, found.effects, found.recovery, found.recovery_summary, found.words, notes)
    return replace(build_effects_report(effects), provenance=provenance_rows(found.provenance.as_dict()))


def write_full_report(folder: Path | str, *paths: Path | str, paper: str = "a4") -> list[Path]:
    """Write the report of a run to the paths, or as ``report.html`` and ``report.pdf`` of the run."""
    run = Path(folder)
    targets = [Path(path) for path in paths] or [run / "report.html", run / "report.pdf"]
    write_report(build_full_report(run), *targets, paper=paper)
    return targets


def _benchmark(run: Path) -> Report:
    if (run / DOCUMENT).is_file():
        return load_report(run / DOCUMENT)
    note = Note(
        f"No leaderboard and no scores: 'scandl-eval run --corpus … --out {run}' makes them.", "missing"
    )
    return Report(f"Benchmark run {run.resolve().name}", "", (), (Section("Leaderboard", (note,)),))


def _missing(run: Path, analyses: Sequence[Effects]) -> list[Section]:
    """Say which settings have predictions but no analysis yet."""
    predicted = {path.stem for path in run.glob("predictions/*/*.csv")}
    analysed = {str(found.effects["setting"].iloc[0]) for found in analyses}
    lacking = [setting for setting in SETTINGS if setting in predicted - analysed]
    if not lacking:
        return []
    notes: list[Block] = [
        Note(f"No effects for {SETTINGS[s]}: {_command(run, s)} makes them.", "missing") for s in lacking
    ]
    return [Section("Not analysed yet", tuple(notes), appendix=True)]


def _no_effects(run: Path) -> list[Finding]:
    return [
        Finding(
            "Effects",
            f"Whether effects are recovered has not been analysed: {_command(run, 'nrns')} does it.",
        )
    ]


def _command(run: Path, setting: str) -> str:
    return (
        f"'scandl-analysis psycholing --run {run} --setting {setting} --out {run / 'psycholing' / setting}'"
    )


def _others(run: Path) -> list[Section]:
    """Return the other tables of this room that the run folder holds."""
    found = []
    for name, title in OTHER_TABLES.items():
        for path in sorted(run.rglob(name)):
            table = read_table(path)
            columns = tuple(Column(column) for column in table.columns)
            rows = tuple(tuple(map(_cell, row.values())) for row in table.rows())
            found.append(Section(title, (Table(f"{title}: {path.parent.relative_to(run)}", columns, rows),)))
    return found


def _cell(text: str) -> str | int | float | None:
    """Return a cell as a number if it is one, None if it is empty.

    >>> _cell("12"), _cell("0.5"), _cell("markov"), _cell("")
    (12, 0.5, 'markov', None)
    """
    for parse in (int, float):
        try:
            return parse(text)
        except ValueError:
            continue
    return text or None


def _provenance(analyses: Sequence[Effects]) -> tuple[tuple[str, str], ...]:
    """Return the command and the hashes of the tables the chapters were made of."""
    tables = [found.folder / EFFECTS for found in analyses if found.folder is not None]
    return tuple(
        (f"report {name}", value) for name, value in provenance_rows(provenance(inputs=tables).as_dict())
    )


def _hidden(path: Path, run: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(run).parts)

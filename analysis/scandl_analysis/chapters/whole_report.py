"""Everything of a run in one report: the chapters of the benchmark, and those of the analyses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from scandl.errors import DataError, Fact
from scandl.files.manifest import MANIFEST, check_run
from scandl.splits import SETTINGS
from scandl_analysis.behaviour import correlations, variability
from scandl_analysis.chapters import correlations_chapter as correlations_report
from scandl_analysis.chapters import effects_appendix
from scandl_analysis.chapters import variability_chapter as variability_report
from scandl_analysis.chapters.correlations_chapter import (
    correlations_finding,
    correlations_section,
    every_kind,
    read_correlations,
)
from scandl_analysis.chapters.effects_appendix import model_checks_section
from scandl_analysis.chapters.effects_chapter import (
    effects_findings,
    effects_sections,
    effects_terms,
    effects_verdict,
    provenance_of,
)
from scandl_analysis.chapters.model_chapters import missing_model_notes, model_sections
from scandl_analysis.chapters.result_tables import EFFECTS, EffectTables, read_effects, read_notes
from scandl_analysis.chapters.variability_chapter import (
    mean_tables,
    read_variability,
    variability_finding,
    variability_section,
)
from scandl_eval.reporting.run_report import RUN_TOML, build_run_report
from scandl_eval.reporting.verdict import EFFECTS as EFFECTS_AND_TIMES
from scandl_reports.document import Block, Finding, Note, Report, Section, Table, Term, provenance_rows
from scandl_reports.writing import check_form, usual_reports, write_figures, write_report

if TYPE_CHECKING:
    from scandl_analysis.behaviour.variability import Behaviour


@dataclass(frozen=True)
class Chapter:
    """How a table of model behaviour becomes a chapter."""

    command: str
    file: str
    read: Callable[[Path], pd.DataFrame]
    section: Callable[[pd.DataFrame, Sequence[str]], Section]
    finding: Callable[[pd.DataFrame], Finding]
    tables: Callable[[pd.DataFrame], list[Table]]
    terms: tuple[Term, ...]
    title: str
    subtitle: str


VARIABILITY = Chapter(
    "variability",
    variability.FILE,
    read_variability,
    variability_section,
    variability_finding,
    mean_tables,
    variability_report.TERMS,
    "How scanpaths vary",
    "Six measures of whole scanpaths, readers and models",
)
CORRELATIONS = Chapter(
    "correlations",
    correlations.FILE,
    read_correlations,
    correlations_section,
    correlations_finding,
    every_kind,
    correlations_report.TERMS,
    "What goes with a high NLD",
    "Correlations of NLD by reader, by sentence and by scanpath",
)


def build_full_report(folder: Path | str) -> Report:
    """Return the report of a run with its analyses; what it lacks is said, with the command for it."""
    run = Path(folder)
    if not run.is_dir():
        raise DataError(run, None, None, Fact("no folder"), "the folder of a benchmark run")
    if (run / MANIFEST).is_file():
        check_run(run)
    analyses = _told_apart(
        [read_effects(path.parent) for path in sorted(run.rglob(EFFECTS)) if not _hidden(path, run)], run
    )
    behaviour = [(chapter, path) for chapter in (VARIABILITY, CORRELATIONS) for path in _tables(run, chapter)]
    effects = _effects_headline(analyses) if analyses else _no_effects(run)
    base = _benchmark(run, effects, analysed=bool(analyses or behaviour))
    added = [
        *(section for found in analyses for section in effects_sections(found)),
        *(_section(*each) for each in behaviour),
        *model_sections(run),
        *(model_checks_section(found.checks, found.setting) for found in analyses),
    ]
    terms = [
        *((*effects_terms(analyses), *effects_appendix.TERMS) if analyses else ()),
        *(term for chapter, _ in behaviour for term in chapter.terms),
    ]
    missing = _missing(run, analyses, [chapter for chapter, _ in behaviour])
    whole = base.with_sections([*added, *missing], dict.fromkeys(terms))
    made_of = [found.folder / EFFECTS for found in analyses if found.folder] + [path for _, path in behaviour]
    # Without a leaderboard the chapters are all there is to say.
    said = [chapter.finding(chapter.read(path)) for chapter, path in behaviour]
    verdict = base.verdict or (*said[:-1], effects, *said[-1:])
    return replace(whole, verdict=verdict, provenance=(*base.provenance, *provenance_of(made_of)))


def _effects_headline(analyses: Sequence[EffectTables]) -> Finding:
    """Return one sentence of the strictest analysis; the chapters have the others."""
    order = ("nrns", *SETTINGS)
    codes = [str(found.effects["setting"].iloc[0]) for found in analyses]
    k = min(range(len(analyses)), key=lambda k: order.index(codes[k]) if codes[k] in order else len(order))
    _, *others = effects_findings(analyses[k])
    effects = effects_verdict(analyses[k]).split(". ")[0].rstrip(".") + "."
    times = "".join(
        f" {each.about}: {each.text.split('. ')[0].rstrip('.')}." for each in others if each.about == "Times"
    )
    return Finding(EFFECTS_AND_TIMES, f"{analyses[k].setting}: {effects}{times}")


def _told_apart(analyses: Sequence[EffectTables], run: Path) -> list[EffectTables]:
    """Add the folder to the name of each analysis whose setting was analysed twice."""
    settings = Counter(found.setting for found in analyses)
    return [
        replace(found, label=found.folder.relative_to(run).as_posix())
        if found.folder and settings[found.setting] > 1
        else found
        for found in analyses
    ]


def build_behaviour_report(chapter: Chapter, found: Behaviour) -> Report:
    """Return the report of one analysis of model behaviour that was just made."""
    return Report(
        chapter.title,
        chapter.subtitle,
        (chapter.finding(found.table),),
        (chapter.section(found.table, found.notes),),
        chapter.terms,
        provenance_rows(found.provenance.as_dict()),
    )


def write_full_report(
    folder: Path | str,
    *paths: Path | str,
    paper: str = "a4",
    full: bool = False,
    figures: Path | str | None = None,
) -> list[Path]:
    """Write the report of a run to the paths, or the usual ones into its folder; ``figures`` elsewhere."""
    run = Path(folder)
    targets = [check_form(path) for path in paths] or usual_reports(run)
    report = build_full_report(run)
    write_report(report, *targets, paper=paper, full=full)
    if figures is None:
        return targets
    write_figures(report, figures)
    return [*targets, Path(figures)]


def _benchmark(run: Path, effects: Finding, *, analysed: bool) -> Report:
    """Return what the benchmark says, and what is known of effects; a folder of analyses has no benchmark."""
    if (run / RUN_TOML).is_file():
        return build_run_report(run, effects)
    if not analysed:
        raise DataError(run, None, None, Fact(f"no {RUN_TOML}"), "the folder of a benchmark run")
    note = Note(
        f"No leaderboard and no scores: 'scandl-eval run --corpus … --out {run}' makes them.", "missing"
    )
    return Report(f"Benchmark run {run.resolve().name}", "", (), (Section("Leaderboard", (note,)),))


def _missing(run: Path, analyses: Sequence[EffectTables], behaviour: Sequence[Chapter]) -> list[Section]:
    """Say which settings have predictions but no analysis yet, and what is not known of a trained model."""
    predicted = {path.stem for path in run.glob("predictions/*/*.csv")}
    analysed = {str(found.effects["setting"].iloc[0]) for found in analyses}
    lacking = [setting for setting in SETTINGS if setting in predicted - analysed]
    notes: list[Block] = [
        Note(f"No effects for {SETTINGS[s]}: {_command(run, s)} makes them.", "missing") for s in lacking
    ]
    notes += [
        Note(f"No {chapter.command}: {_command(run, _some(predicted), chapter.command)} makes it.", "missing")
        for chapter in (VARIABILITY, CORRELATIONS)
        if predicted and chapter not in behaviour
    ]
    notes += missing_model_notes(run)
    return [Section("Not analysed yet", tuple(notes), appendix=True)] if notes else []


def _some(predicted: set[str]) -> str:
    """Return the setting to analyse first: the strictest there is."""
    return next(setting for setting in ("nrns", *SETTINGS, *predicted) if setting in predicted)


def _no_effects(run: Path) -> Finding:
    return Finding(EFFECTS_AND_TIMES, f"Not analysed yet: {_command(run, 'nrns')} does it.")


def _command(run: Path, setting: str, command: str = "psycholing") -> str:
    return f"'scandl-analysis {command} --run {run} --setting {setting} --out {run / command / setting}'"


def _tables(run: Path, chapter: Chapter) -> list[Path]:
    return [path for path in sorted(run.rglob(chapter.file)) if not _hidden(path, run)]


def _section(chapter: Chapter, path: Path) -> Section:
    return chapter.section(chapter.read(path), read_notes(path.with_name(f"{path.name}.json")))


def _hidden(path: Path, run: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(run).parts)

"""The report of ``nld`` and ``score``: what was printed, with figures and definitions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scandl_eval.evaluation import Evaluation
from scandl_eval.leaderboard import HUMAN
from scandl_eval.metrics import METRICS
from scandl_eval.reporting.terms import HUMAN as HUMAN_TERM
from scandl_eval.reporting.terms import INTERVAL, STANDARD_ERROR, board_terms
from scandl_eval.reporting.verdict import title
from scandl_eval.summary import Row
from scandl_reports.document import Cell, Column, Figure, Finding, Note, Report, Section, Table, Term, Text
from scandl_reports.figures.chart import About
from scandl_reports.figures.intervals import Estimate, Panel, interval_figure
from scandl_reports.origin import provenance_rows
from scandl_reports.palette import looks


def build_scoring_report(result: Evaluation, made_by: Mapping[str, Any]) -> Report:
    """Return the report of an evaluation; ``made_by`` is its provenance."""
    settings = list(dict.fromkeys(row.setting for row in result.rows))
    sections = [
        _setting(setting, [row for row in result.rows if row.setting == setting]) for setting in settings
    ]
    notes = Section("How to read this", tuple(Text(f"{line}.") for line in result.notes))
    models = [row.model for row in result.rows if row.kind == "model"]
    return Report(
        f"Scores of {', '.join(dict.fromkeys(models))}",
        f"{result.metric_spec.get('items', '')}, NLD as {result.metric_spec.get('spec', '')}",
        tuple(_findings(result)),
        (*sections, notes),
        _terms(result.rows),
        provenance_rows(made_by),
    )


def _findings(result: Evaluation) -> list[Finding]:
    """Return the warnings; without any, that the models are better than the simple reader."""
    if result.warnings:
        return [Finding("Left-to-right reader", f"{line}.") for line in result.warnings]
    if any(row.kind == "baseline" for row in result.rows):
        text = "Every model is separably nearer to the readers than one who fixates each word once, in order."
    else:
        text = "No texts, so no trivial reader to compare with."
    return [Finding("Left-to-right reader", text)]


def _setting(setting: str, rows: Sequence[Row]) -> Section:
    columns = [
        Column("model"), Column("metric"), Column("mean"), Column("95 %", INTERVAL),
        Column("SE folds", STANDARD_ERROR), Column("n"),
    ]  # fmt: skip
    cells: list[tuple[Cell, ...]] = [
        (row.model, row.metric, row.mean, row.ci95, row.se_folds, row.n) for row in rows
    ]
    if any(row.energy_distance is not None for row in rows):
        columns += [Column("energy", "energy"), Column("95 %", INTERVAL), Column("diversity", "diversity")]
        energies = ((row.energy_distance, row.energy_ci95, row.diversity_ratio) for row in rows)
        cells = [(*left, *right) for left, right in zip(cells, energies, strict=True)]
    colours = {name: look.colour for name, look in looks(row.model for row in rows).items()}
    table = Table(f"Scores: {title(setting)}", tuple(columns), tuple(cells), colours=colours)
    return Section(title(setting), (table, _figure(setting, rows)))


def _figure(setting: str, rows: Sequence[Row]) -> Figure | Note:
    panels = []
    for metric in list(dict.fromkeys(row.metric for row in rows))[:4]:
        found = {r.model: Estimate(r.mean, r.ci95) for r in rows if r.metric == metric and r.mean is not None}
        human = found.pop(HUMAN, None)
        panels.append(Panel(metric, found, human))
    energies = {
        row.model: Estimate(row.energy_distance, row.energy_ci95)
        for row in rows
        if row.energy_distance is not None
    }
    human = energies.pop(HUMAN, None)
    return interval_figure(
        About(
            f"Models and their uncertainty: {title(setting)}",
            "Dots with intervals for each model and metric; human readers among themselves as a dashed line.",
            "Lines: 95 % intervals. Dashed line with band: human readers among themselves.",
            (HUMAN_TERM,),
        ),
        [*panels, *([Panel("energy", energies, human)] if energies else [])],
    )


def _terms(rows: Sequence[Row]) -> tuple[Term, ...]:
    known = board_terms()
    named = {term.name for term in known}
    metrics = dict.fromkeys(row.metric for row in rows)
    return (
        *known,
        *(Term(name, METRICS[name].about) for name in metrics if name in METRICS and name not in named),
    )

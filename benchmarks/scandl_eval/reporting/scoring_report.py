"""The report of ``nld`` and ``score``: what was printed, with figures and definitions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from scandl.corpora.corpus import Card
from scandl.corpora.corpus_folder import read_card
from scandl_eval.leaderboard.board_rows import HUMAN
from scandl_eval.reporting.data_chapter import data_findings
from scandl_eval.reporting.simple_reader import simple_reader_findings
from scandl_eval.reporting.terms import HUMAN as HUMAN_TERM
from scandl_eval.reporting.terms import INTERVAL, STANDARD_ERROR, scoring_terms
from scandl_eval.reporting.verdict import title
from scandl_eval.scoring.evaluation import Evaluation
from scandl_eval.scoring.summary_rows import Row
from scandl_reports.document import Cell, Column, Figure, Note, Report, Section, Table, Text
from scandl_reports.figures.chart import About
from scandl_reports.figures.intervals import Estimate, Panel, interval_figure
from scandl_reports.origin import provenance_rows
from scandl_reports.palette import looks

PANELS = 4  # more would leave no room for their names
DRAWN_FIRST = ("nld", "energy-distance", "diversity-ratio", "classifier-auc", "information-gain")
"""Of many metrics, those that say most."""


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
        (*data_findings(_cards(made_by)), *simple_reader_findings(result)),
        (*sections, notes),
        scoring_terms(
            dict.fromkeys(row.metric for row in result.rows), energy_columns=_has_energy(result.rows),
            convention=result.metric_spec.get("spec", ""),
        ),
        provenance_rows(made_by),
    )  # fmt: skip


def _cards(made_by: Mapping[str, Any]) -> list[Card]:
    """Return the cards of the corpora that were read."""
    cards = (Path(name) / "corpus.toml" for name in made_by.get("inputs", {}))
    return [read_card(card) for card in cards if card.is_file()]


def _setting(setting: str, rows: Sequence[Row]) -> Section:
    columns = [
        Column("model"), Column("metric"), Column("mean"), Column("95 %", INTERVAL),
        Column("SE folds", STANDARD_ERROR), Column("n"),
    ]  # fmt: skip
    cells: list[tuple[Cell, ...]] = [
        (row.model, row.metric, row.mean, row.ci95, row.se_folds, row.n) for row in rows
    ]
    if _has_energy(rows):
        columns += [
            Column("energy", "energy"), Column("95 %"), Column("diversity", "diversity"), Column("95 %"),
        ]  # fmt: skip
        added = ((r.energy_distance, r.energy_ci95, r.diversity_ratio, r.diversity_ci95) for r in rows)
        cells = [(*left, *right) for left, right in zip(cells, added, strict=True)]
    colours = {name: look.colour for name, look in looks(row.model for row in rows).items()}
    note = "The definition of each metric says whether lower or higher is better."
    table = Table(f"Scores: {title(setting)}", tuple(columns), tuple(cells), note, colours)
    return Section(title(setting), (table, _figure(setting, rows)))


def _figure(setting: str, rows: Sequence[Row]) -> Figure | Note:
    panels = {
        metric: _panel(metric, {r.model: _estimate(r.mean, r.ci95) for r in rows if r.metric == metric})
        for metric in dict.fromkeys(row.metric for row in rows)
    }
    if _has_energy(rows):
        energies = {r.model: _estimate(r.energy_distance, r.energy_ci95) for r in rows}
        diversities = {r.model: _estimate(r.diversity_ratio, r.diversity_ci95) for r in rows}
        panels |= {"energy": _panel("energy", energies), "diversity": _panel("diversity", diversities)}
    drawn = _drawn_first(name for name, panel in panels.items() if panel.estimates)
    left_out = len(panels) - len(drawn)
    rest = f" The table has {left_out} more metrics." if left_out > 0 else ""
    return interval_figure(
        About(
            f"Models and their uncertainty: {title(setting)}",
            f"Dots with intervals for each model in {', '.join(drawn)}; human readers among themselves as a "
            "dashed line.",
            "Lines: 95 % intervals. Dashed line with band: human readers among themselves." + rest,
            (*drawn, HUMAN_TERM),
        ),
        [panels[name] for name in drawn],
    )


def _drawn_first(metrics: Iterable[str]) -> list[str]:
    """Return the metrics that a figure has room for, the more telling ones first.

    >>> _drawn_first(["levenshtein", "nld", "nld-scandl", "energy-distance", "diversity-ratio"])
    ['nld', 'energy-distance', 'diversity-ratio', 'levenshtein']
    """
    found = list(metrics)
    first = [name for name in DRAWN_FIRST if name in found]
    return [*first, *(name for name in found if name not in first)][:PANELS]


def _panel(metric: str, found: Mapping[str, Estimate | None]) -> Panel:
    known = {model: estimate for model, estimate in found.items() if estimate is not None}
    human = known.pop(HUMAN, None)
    return Panel(metric, known, human)


def _estimate(value: float | None, ci95: tuple[float, float] | None) -> Estimate | None:
    return None if value is None else Estimate(value, ci95)


def _has_energy(rows: Iterable[Row]) -> bool:
    """Say whether energy and diversity are columns beside a metric and not rows of their own."""
    return any(row.energy_distance is not None for row in rows)

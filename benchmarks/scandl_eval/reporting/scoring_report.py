"""The report of ``nld`` and ``score``: what was printed, with figures and definitions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from scandl.corpora.corpus import Card
from scandl.corpora.corpus_folder import read_card
from scandl_eval.leaderboard.leaderboard import HUMAN
from scandl_eval.reporting.simple_reader import simple_reader_findings
from scandl_eval.reporting.terms import INTERVAL, SIMULATED, STANDARD_ERROR, called, scoring_terms
from scandl_eval.reporting.verdict import data_findings, title
from scandl_eval.scoring.evaluation import Evaluation
from scandl_eval.scoring.summary_rows import COMPANIONS, Row, with_companions
from scandl_reports.document import Cell, Column, Figure, Note, Report, Section, Table, Text, provenance_rows
from scandl_reports.figures.chart import About, looks
from scandl_reports.figures.estimates import Estimate, Panel, interval_figure

PANELS = 4  # more would leave no room for their names
DRAWN_FIRST = ("nld", "energy", "diversity", "classifier-auc", "information-gain")
"""Of many metrics, those that say most."""


def build_scoring_report(result: Evaluation, made_by: Mapping[str, Any]) -> Report:
    """Return the report of an evaluation; ``made_by`` is its provenance."""
    settings = list(dict.fromkeys(row.setting for row in result.rows))
    cards = _cards(made_by)
    simulated = any("are simulated: no row here is human" in note for note in result.notes)
    readers = SIMULATED if simulated or any(card.kind == "simulated" for card in cards) else HUMAN
    rows = [replace(row, model=readers) if row.kind == "human" else row for row in result.rows]
    sections = [
        _setting(setting, [row for row in rows if row.setting == setting], readers) for setting in settings
    ]
    notes = Section("How to read this", tuple(Text(called(f"{line}.", readers)) for line in result.notes))
    models = [row.model for row in result.rows if row.kind == "model"]
    return Report(
        f"Scores of {', '.join(dict.fromkeys(models))}",
        f"{result.metric_spec.get('items', '')}, NLD as {result.metric_spec.get('spec', '')}",
        (*data_findings(cards), *simple_reader_findings(result)),
        (*sections, notes),
        scoring_terms(
            dict.fromkeys(row.metric for row in result.rows),
            convention=result.metric_spec.get("spec", ""),
            readers=readers,
        ),
        provenance_rows(made_by),
        readers=readers,
    )  # fmt: skip


def _cards(made_by: Mapping[str, Any]) -> list[Card]:
    """Return the cards of the corpora that were read."""
    cards = (Path(name) / "corpus.toml" for name in made_by.get("inputs", {}))
    return [read_card(card) for card in cards if card.is_file()]


def _setting(setting: str, rows: Sequence[Row], readers: str) -> Section:
    columns = [
        Column("model"), Column("metric"), Column("mean"), Column("95 %", INTERVAL),
        Column("SE folds", STANDARD_ERROR), Column("n"),
    ]  # fmt: skip
    main, beside = with_companions(rows)
    shown = [name for name in COMPANIONS if any(name in found for found in beside)]
    for name in shown:
        columns += [Column(name, name), Column("95 %")]
    cells: list[tuple[Cell, ...]] = []
    for row, found in zip(main, beside, strict=True):
        more = [(found[name].mean, found[name].ci95) if name in found else (None, None) for name in shown]
        own = (row.model, row.metric, row.mean, row.ci95, row.se_folds, row.n)
        cells.append((*own, *(cell for pair in more for cell in pair)))
    colours = {name: look.colour for name, look in looks(row.model for row in rows).items()}
    note = "The definition of each metric says whether lower or higher is better."
    table = Table(f"Scores: {title(setting)}", tuple(columns), tuple(cells), note, colours)
    return Section(title(setting), (table, _figure(setting, rows, readers)))


def _figure(setting: str, rows: Sequence[Row], readers: str) -> Figure | Note:
    panels = {
        metric: _panel(
            metric, {r.model: _estimate(r.mean, r.ci95) for r in rows if r.metric == metric}, readers
        )
        for metric in dict.fromkeys(row.metric for row in rows)
    }
    drawn = _drawn_first(name for name, panel in panels.items() if panel.estimates)
    left_out = len(panels) - len(drawn)
    rest = f" The table has {left_out} more metrics." if left_out > 0 else ""
    return interval_figure(
        About(
            f"Models and their uncertainty: {title(setting)}",
            f"Dots with intervals for each model in {', '.join(drawn)}; readers among themselves as a "
            "dashed line.",
            "Lines: 95 % intervals. Dashed line with band: readers among themselves." + rest,
            (*drawn, readers),
        ),
        [panels[name] for name in drawn],
        reference_name=readers,
    )


def _drawn_first(metrics: Iterable[str]) -> list[str]:
    """Return the metrics that a figure has room for, the more telling ones first.

    >>> _drawn_first(["levenshtein", "nld", "nld-scandl", "energy", "diversity"])
    ['nld', 'energy', 'diversity', 'levenshtein']
    """
    found = list(metrics)
    first = [name for name in DRAWN_FIRST if name in found]
    return [*first, *(name for name in found if name not in first)][:PANELS]


def _panel(metric: str, found: Mapping[str, Estimate | None], readers: str) -> Panel:
    known = {model: estimate for model, estimate in found.items() if estimate is not None}
    return Panel(metric, known, known.pop(readers, None))


def _estimate(value: float | None, ci95: tuple[float, float] | None) -> Estimate | None:
    return None if value is None else Estimate(value, ci95)

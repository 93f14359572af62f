"""The reports of ``nld``, ``score`` and ``compare``: what was printed, with figures and definitions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from scandl.corpora.corpus import Card, read_card
from scandl_eval.references.reference_rows import HUMAN, LEFT_TO_RIGHT, SIMULATED, called
from scandl_eval.reporting.terms import INTERVAL, STANDARD_ERROR, scoring_terms
from scandl_eval.reporting.verdict import data_findings, title
from scandl_eval.scoring.comparison import Comparison, Pair
from scandl_eval.scoring.evaluation import Evaluation
from scandl_eval.scoring.rows import COMPANIONS, Row, with_companions
from scandl_reports.document import (
    Cell,
    Column,
    Figure,
    Finding,
    Note,
    Report,
    Section,
    Table,
    Text,
    provenance_rows,
)
from scandl_reports.figures.chart import About, looks
from scandl_reports.figures.estimates import Estimate, EstimatePanel, interval_figure

PANELS = 4  # more would leave no room for their names
DRAWN_FIRST = ("nld", "energy", "diversity", "classifier-auc", "information-gain")
"""Of many metrics, those that say most."""


def build_scoring_report(result: Evaluation, made_by: Mapping[str, Any]) -> Report:
    """Return the report of an evaluation; ``made_by`` is its provenance."""
    settings = list(dict.fromkeys(row.setting for row in result.rows))
    cards = _cards(made_by)
    readers = next((row.model for row in result.rows if row.kind == "human"), HUMAN)
    if any(card.kind == "simulated" for card in cards):
        readers = SIMULATED
    rows = [replace(row, model=readers) if row.kind == "human" else row for row in result.rows]
    sections = [
        _setting(setting, [row for row in rows if row.setting == setting], readers) for setting in settings
    ]
    of_input = [line for line in result.warnings if not line.startswith(LEFT_TO_RIGHT)]
    told = tuple(Text(called(f"{line}.", readers)) for line in (*of_input, *result.notes))
    notes = Section("How to read this", told)
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
    )


def build_comparison_report(found: Comparison, made_by: Mapping[str, Any]) -> Report:
    """Return the differences between models, setting by setting; ``made_by`` is their provenance."""
    models = dict.fromkeys(model for pair in found.pairs for model in (pair.a, pair.b))
    settings = dict.fromkeys(pair.setting for pair in found.pairs)
    sections = [_differences(name, [p for p in found.pairs if p.setting == name]) for name in settings]
    notes = Section("How to read this", tuple(Text(f"{line}.") for line in (*found.warnings, *found.notes)))
    return Report(
        f"Comparison of {', '.join(models)}",
        "Paired on the items that both models of a pair have",
        (),
        (*sections, notes),
        (),
        provenance_rows(made_by),
    )


def _differences(setting: str, pairs: Sequence[Pair]) -> Section:
    columns = ("A", "B", "metric", "mean of A", "mean of B", "A − B", "95 %", "p (Holm)", "n", "verdict")
    rows = tuple(
        (p.a, p.b, p.metric, p.mean_a, p.mean_b, p.difference, p.ci95, p.p_holm, p.n, p.verdict)
        for p in pairs
    )
    heads = tuple(Column(name, probability=name.startswith("p ")) for name in columns)
    panels = {
        metric: {
            f"{p.a} − {p.b}": Estimate(p.difference, p.ci95)
            for p in pairs
            if p.metric == metric and p.difference is not None
        }
        for metric in dict.fromkeys(p.metric for p in pairs)
    }
    drawn = _drawn_first(metric for metric, found in panels.items() if found)
    figure = interval_figure(
        About(
            f"Differences between models: {title(setting)}",
            f"Dots with intervals for each pair of models in {', '.join(drawn)}; dashed: no difference.",
            "Lines: 95 % intervals of the paired differences. Dashed line: no difference.",
        ),
        [EstimatePanel(metric, panels[metric], Estimate(0.0)) for metric in drawn],
        reference_name="no difference",
    )
    return Section(title(setting), (Table(f"Differences: {title(setting)}", heads, rows), figure))


def _cards(made_by: Mapping[str, Any]) -> list[Card]:
    """Return the cards of the corpora that were read."""
    cards = (Path(name) / "corpus.toml" for name in made_by.get("inputs", {}))
    return [read_card(card) for card in cards if card.is_file()]


def _setting(setting: str, rows: Sequence[Row], readers: str) -> Section:
    columns = [
        Column("model"),
        Column("metric"),
        Column("mean"),
        Column("95 %", INTERVAL),
        Column("SE folds", STANDARD_ERROR),
        Column("n"),
    ]
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


def _panel(metric: str, found: Mapping[str, Estimate | None], readers: str) -> EstimatePanel:
    known = {model: estimate for model, estimate in found.items() if estimate is not None}
    return EstimatePanel(metric, known, known.pop(readers, None))


def _estimate(value: float | None, ci95: tuple[float, float] | None) -> Estimate | None:
    return None if value is None else Estimate(value, ci95)


def simple_reader_findings(result: Evaluation) -> list[Finding]:
    """Return the warnings of that reader; without any, what was compared with it and what was not."""
    own = [line for line in result.warnings if line.startswith(LEFT_TO_RIGHT)]
    told = [f"{line}." for line in own] or [_without_warning(result)]
    return [Finding("Left-to-right reader", text) for text in told]


def _without_warning(result: Evaluation) -> str:
    """Say that the models are better, if that was shown; no warning alone does not mean it."""
    models = {(row.model, row.setting) for row in result.rows if row.kind == "model"}
    rivals = {group for group in models if group[0] != LEFT_TO_RIGHT}
    if not rivals:
        return "The only model is that reader itself: there is nothing to compare it with."
    if not any(row.model == LEFT_TO_RIGHT and row.n for row in result.rows):
        return "Not compared: without texts there is no reader who fixates each word once."
    shown = [
        metric
        for metric in dict.fromkeys(metric for gaps in result.gaps.values() for metric in gaps)
        if all(_shown(result, group, metric) for group in rivals)
    ]
    if not shown:
        return (
            "Whether every model is nearer to the readers than one who fixates each word once, in order, is "
            "not known: there are too few readers, sentences or texts."
        )
    others = "Every other model" if len(rivals) < len(models) else "Every model"
    return (
        f"{others} is clearly nearer to the readers than one who fixates each word once, in order "
        f"({', '.join(shown)})."
    )


def _shown(result: Evaluation, group: tuple[str, str], metric: str) -> bool:
    gap = result.gaps.get(group, {}).get(metric)
    return gap is not None and gap.separable

"""The chapter of a report on correlations of NLD: heat maps, tables with the published ones, intervals."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from scandl.measures.scanpath_measures import CONVENTIONS, NAMES
from scandl_analysis.behaviour.correlations import KINDS, NOT_ON_RECORD, STRENGTH
from scandl_analysis.chapters.result_tables import (
    check_texts,
    read_numbers,
    records,
    row_colours,
    row_name,
    span,
    whole,
)
from scandl_analysis.chapters.variability_chapter import (
    COUNTED,
    LABELS,
    MEASURE_TERMS,
    Row,
    setting_name,
    table_by_measure,
)
from scandl_analysis.effects.effect_table import listed
from scandl_reports.document import (
    NOT_GIVEN,
    Block,
    Cell,
    Column,
    Figure,
    Finding,
    Note,
    Section,
    Table,
    Term,
    Text,
    shown,
)
from scandl_reports.figures.chart import About
from scandl_reports.figures.estimates import heatmap_figure

ALPHA = 0.05
NEEDED = ("setting", "corpus", "convention", "kind", "model", "other", "origin", "n", "r", "stars")
TITLES = {
    "reader": "NLD of readers with their measures",
    "sentence": "NLD of sentences between models",
    "scanpath": "NLD of predictions with the reader's scanpath",
}
MEANING = {
    "reader": "Each reader's mean NLD with the means of that reader's own scanpaths; points are readers.",
    "sentence": "The mean NLD of a sentence under one model with that under another; points are sentences.",
    "scanpath": "The NLD of each prediction with measures of the reader's scanpath it stands against; points "
    "are scanpaths, which share readers and sentences: believe the interval, not the stars.",
}
STARS = "*** p ≤ .001, ** p ≤ .01, * p ≤ .05, points taken as independent."
TERMS = (
    *MEASURE_TERMS,
    Term("r", f"Pearson's correlation; {STARS}"),
    Term("95 % (points resampled)", "95 % interval of a bootstrap: of readers, of sentences, or of both."),
)
Cells = dict[str, list[Row | None]]
"""Name of a row -> the row of the table that belongs in each cell."""


def read_correlations(path: Path) -> pd.DataFrame:
    """Read a table that ``correlations --out`` wrote."""
    table = read_numbers(path, NEEDED)
    check_texts(path, table, "kind", (*KINDS, STRENGTH))
    check_texts(path, table, "convention", CONVENTIONS)
    check_texts(path, table[table["kind"] != "sentence"], "other", NAMES)
    return table


def correlations_section(table: pd.DataFrame, notes: Sequence[str] = ()) -> Section:
    """Return the chapter."""
    name = setting_name(table)
    blocks: list[Block] = [Text(correlations_finding(table).text)]
    for kind in KINDS:
        part = table[table["kind"] == kind]
        blocks.append(_heatmap(part[part["convention"] == "words"], kind, name, "words"))
        if kind == "sentence":  # a table of all pairs would not fit the page
            blocks.append(_heatmap(part[part["convention"] == "scandl"], kind, name, "scandl"))
        else:
            blocks += kind_tables(table, kind, ["scandl"])
    blocks += [_intervals(table, name), *(Text(f"{note}.") for note in notes)]
    return Section("Correlations", tuple(blocks[:2]), more=tuple(blocks[2:]), tab=name)


def correlations_finding(table: pd.DataFrame) -> Finding:
    """Say in words what goes with a high NLD."""
    ours = table[(table["convention"] == "words") & (table["origin"] == "run")].dropna(subset=["r"])
    about = f"Correlations, {setting_name(table)}"
    strength, sentence = (ours[ours["kind"] == kind] for kind in (STRENGTH, "sentence"))
    if strength.empty:
        return Finding(about, "No correlation of NLD is defined: see the notes of the table.")
    text = _strongest(strength)
    if len(sentence):
        text += f" Mean NLDs of sentences correlate {_between(sentence)}."
    return Finding(about, text)


def _strongest(strength: pd.DataFrame) -> str:
    """Say which measure goes most with NLD, and which a paired test cannot tell from it."""
    first, *others = records(strength)
    near = [
        f"{LABELS[row['other']]} ({_strength(row)})"
        for row in others
        if row.get("p") is None or row["p"] > ALPHA
    ]
    model = str(first["model"])
    over = f"over {model}" if model.endswith(" models") else f"for {model}"
    text = (
        f"Of the measures of a reader's scanpath, {LABELS[first['other']]} is most closely tied to its NLD: "
        f"mean |r| {over} is {_strength(first)}."
    )
    if near:
        text += f" A paired test does not tell from it: {listed(near)}."
    return text


def _strength(row: Row) -> str:
    interval = span(row.get("ci_low"), row.get("ci_high"))
    return shown(row["r"]) + ("" if interval is None else f" {shown(interval)}")


def _between(sentence: pd.DataFrame) -> str:
    """Return how much the NLDs of sentences have in common between models."""
    rows = records(sentence)
    if len(rows) == 1:
        (row,) = rows
        interval = span(row.get("ci_low"), row.get("ci_high"))
        return f"between {row['model']} and {row['other']} with r = {shown(row['r'])} {shown(interval)}"
    values = sentence["r"]
    return (
        f"between models with r = {shown(values.median())} in the median of {len(rows)} pairs of models, "
        f"{shown(values.min())} to {shown(values.max())}"
    )


def kind_tables(table: pd.DataFrame, kind: str, conventions: Sequence[str] = CONVENTIONS) -> list[Table]:
    """Return r with stars, rows of models; published ones below their model."""
    found = []
    for convention in conventions:
        rows = records(table[(table["convention"] == convention) & (table["kind"] == kind)])
        title = f"{TITLES[kind]}, {COUNTED[convention]}: {setting_name(table)}"
        if rows:
            found.append(
                _matrix_table(rows, title) if kind == "sentence" else _measures_table(rows, kind, title)
            )
    return found


def every_kind(table: pd.DataFrame) -> list[Table]:
    """Return the tables of every kind of correlation."""
    return [each for kind in KINDS for each in kind_tables(table, kind)]


def _measures_table(rows: Sequence[Row], kind: str, title: str) -> Table:
    named = [(row, _key(row), row["other"]) for row in rows]
    return table_by_measure(title, "model", f"{kind}s", named, _starred, f"{MEANING[kind]} {STARS}")


def _matrix_table(rows: Sequence[Row], title: str) -> Table:
    numbers, cells = _matrix(rows)
    lines = tuple((name, *map(_starred, line)) for name, line in cells.items())
    columns = (Column("model"), *(Column(number) for number in numbers))
    note = f"{MEANING['sentence']} {STARS}{_numbers_of(rows, cells)}"
    return Table(title, columns, lines, note)


def _heatmap(part: pd.DataFrame, kind: str, name: str, convention: str) -> Figure | Note:
    shown_rows = [row for row in records(part) if row["origin"] == "run" or kind == "sentence"]
    columns, cells = _matrix(shown_rows) if kind == "sentence" else _by_measure(shown_rows)
    rows = {key: [None if cell is None else cell["r"] for cell in line] for key, line in cells.items()}
    # In a square of many models there is no room for stars; the table of intervals has them.
    marks = {
        (key, k): cell["stars"]
        for key, line in cells.items()
        for k, cell in enumerate(line)
        if cell is not None and kind != "sentence"
    }
    others = f" {STARS}" if kind != "sentence" else _numbers_of(shown_rows, cells)
    about = About(
        f"{TITLES[kind]}, {COUNTED[convention]}: {name}",
        f"Heat map of correlations of NLD: {len(rows)} rows, {len(columns)} columns.",
        f"{MEANING[kind]} Orange: NLD rises with it; blue: it falls; – not defined or not known.{others}",
        ("r",),
    )
    return heatmap_figure(about, columns, rows, marks)


def _by_measure(rows: Sequence[Row]) -> tuple[list[str], Cells]:
    cells: Cells = {}
    for row in rows:
        cells.setdefault(row["model"], [None] * len(NAMES))[NAMES.index(row["other"])] = row
    return [label.replace(" ", "\n", 1) for label in LABELS.values()], cells


def _matrix(rows: Sequence[Row]) -> tuple[list[str], Cells]:
    """Return a square of models, published rows below; columns are numbers, or their names would not fit."""
    models = _models(rows)
    numbered = {name: f"{k}  {name}" for k, name in enumerate(models, start=1)}
    cells: Cells = {numbered[name]: [None] * len(models) for name in models}
    for row in rows:
        if row["origin"] == "run":
            cells[numbered[row["model"]]][models.index(row["other"])] = row
            cells[numbered[row["other"]]][models.index(row["model"])] = row
        else:
            name = row_name(*_key(row))
            cells.setdefault(name, [None] * len(models))[models.index(row["other"])] = row
    # A model that only a published number is about has a column but no row.
    return [str(k) for k in range(1, len(models) + 1)], {k: line for k, line in cells.items() if any(line)}


def _models(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in (row["model"], row["other"])))


def _numbers_of(rows: Sequence[Row], cells: Cells) -> str:
    """Say which columns are models without a row."""
    numbered = [f"{k}  {name}" for k, name in enumerate(_models(rows), start=1)]
    lacking = [name.replace("  ", " ") for name in numbered if name not in cells]
    return f" Columns without a row: {', '.join(lacking)}." if lacking else ""


def _intervals(table: pd.DataFrame, name: str) -> Table:
    columns = (
        *map(Column, ("model", "with", "points", "n")),
        *(Column("r", "r"), Column("95 %", "95 % (points resampled)")),
        *(Column("p", probability=True), Column("note")),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            row_name(*_key(row)),
            LABELS.get(row["other"], row["other"]),
            f"{row['kind']}s",
            whole(row["n"]),
            _starred(row),
            span(row.get("ci_low"), row.get("ci_high")),
            row.get("p"),
            row.get("note") or "",
        )
        for row in records(table[(table["convention"] == "words") & (table["kind"] != STRENGTH)])
    )
    title = f"Correlations with their intervals, {COUNTED['words']}: {name}"
    return Table(title, columns, rows, STARS, row_colours(rows))


def _key(row: Row) -> tuple[str, str, str]:
    return row["model"], row["origin"], "" if row["corpus"] == NOT_ON_RECORD else row["corpus"]


def _starred(row: Row | None) -> str:
    """Return r as tables print it.

    >>> _starred({"r": -0.254, "stars": "**"}), _starred(None)
    ('−0.25**', '–')
    """
    if row is None or row["r"] is None:
        return NOT_GIVEN
    return f"{row['r']:.2f}{row['stars'] or ''}".replace("-", "−")

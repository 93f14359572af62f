"""The chapter of a report on variability: boxes, mean ± SD with the published ones, every number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from scandl.measures.scanpath_measures import CONVENTIONS, NAMES
from scandl.splits import SETTINGS
from scandl_analysis.chapters.result_tables import (
    READERS,
    check_texts,
    read_numbers,
    records,
    row_colours,
    row_name,
    source_name,
    span,
    whole,
)
from scandl_analysis.words.analysed_run import HUMAN
from scandl_reports.document import NOT_GIVEN, Column, Figure, Finding, Note, Section, Table, Term, Text
from scandl_reports.figures.boxes import Box, boxes_figure
from scandl_reports.figures.chart import About

Row = dict[str, Any]
"""A row of a table that was read."""
NEEDED = ("setting", "corpus", "convention", "source", "measure", "origin", "n", "mean", "sd")
COUNTED = {"words": "words counted", "scandl": "CLS and SEP counted, as published"}
MEASURE_TERMS = (
    Term("first pass count", "Fixations of first visits, per word."),
    Term("fixation count", "Fixations per word."),
    Term("skipping rate", "Share of words skipped in first pass."),
    Term("regression rate", "Share of words whose first visit ends with a step to the left."),
    Term("progressive length", "Mean length of steps to the right in words; 0 if there is none."),
    Term("regressive length", "Mean length of steps to the left in words; 0 if there is none."),
)
LABELS = {name: name.replace("_", " ") for name in NAMES}
"""The measures as a page shows them: words that can be wrapped."""

MEASURE_COLUMNS = tuple(Column(name, name) for name in LABELS.values())
TERMS = (
    *MEASURE_TERMS,
    Term("95 % (resampled)", "95 % interval of a bootstrap that resamples readers and sentences."),
)


def read_variability(path: Path) -> pd.DataFrame:
    """Read a table that ``variability --out`` wrote."""
    table = read_numbers(path, NEEDED)
    check_texts(path, table, "measure", NAMES)
    check_texts(path, table, "convention", CONVENTIONS)
    return table


def variability_section(table: pd.DataFrame, notes: Sequence[str] = ()) -> Section:
    """Return the chapter."""
    name = setting_name(table)
    first, *others = mean_tables(table)
    return Section(
        "Variability",
        (Text(variability_finding(table).text), _boxes(table[table["convention"] == "words"], name), first),
        more=(*others, _all_numbers(table, name), *(Text(f"{note}.") for note in notes)),
        tab=name,
    )


def variability_finding(table: pd.DataFrame) -> Finding:
    """Say in words which model is nearest to the readers, in units of their own spread."""
    rows = records(table[(table["convention"] == "words") & (table["origin"] == "run")])
    human = {row["measure"]: row for row in rows if row["source"] == HUMAN and row["sd"]}
    models: dict[str, list[Row]] = {}
    for row in rows:
        if row["source"] != HUMAN and row["measure"] in human:
            models.setdefault(row["source"], []).append(row)
    about = f"Variability, {setting_name(table)}"
    if not models:
        return Finding(about, "There is no measure in which readers differ, so no model can be compared.")
    away = {
        name: sum(
            abs(row["mean"] - human[row["measure"]]["mean"]) / human[row["measure"]]["sd"] for row in own
        )
        / len(own)
        for name, own in models.items()
    }
    best = min(away, key=lambda name: away[name])
    n = len(models[best])
    ratio = [(row["sd"] or 0.0) / human[row["measure"]]["sd"] for row in models[best]]
    start = (
        f"{best} comes nearest to the readers in {n} scanpath measures, in the mean, which is not tested: its"
        if len(models) > 1
        else f"{best} is the only model; in {n} scanpath measures its"
    )
    apart = sum(_apart(row, human[row["measure"]]) for row in models[best])
    return Finding(
        about,
        f"{start} means are {away[best]:.2f} standard deviations of the readers away on average, {apart} of"
        f" them with a 95 % interval that does not meet theirs, and its own standard deviations are"
        f" {min(ratio):.2f} to {max(ratio):.2f} times theirs.",
    )


def _apart(row: Row, human: Row) -> bool:
    """Return whether the intervals of two means have no number in common; without one nothing is known."""
    mine, theirs = (span(each.get("ci_low"), each.get("ci_high")) for each in (row, human))
    return mine is not None and theirs is not None and (mine[0] > theirs[1] or theirs[0] > mine[1])


def mean_tables(table: pd.DataFrame) -> list[Table]:
    """Return mean ± SD of all sources, a table for each convention; published ones below their source."""
    found = []
    for convention in CONVENTIONS:
        rows = records(table[table["convention"] == convention])
        named = [(row, (row["source"], row["origin"], row["corpus"]), row["measure"]) for row in rows]
        title = f"Mean ± SD over scanpaths, {COUNTED[convention]}: {setting_name(table)}"
        found.append(table_by_measure(title, "source", "scanpaths", named, _mean_sd))
    return found


def table_by_measure(
    title: str,
    source: str,
    unit: str,
    rows: Sequence[tuple[Row, tuple[str, str, str], str]],
    write: Callable[[Row | None], str],
    note: str = "",
) -> Table:
    """Return a table of sources by measures; a row comes with source, origin and corpus, and its measure."""
    order = list(dict.fromkeys(key[0] for _, key, _ in rows))
    below = sorted(
        dict.fromkeys(key for _, key, _ in rows), key=lambda key: (order.index(key[0]), key[1] == "published")
    )
    cells = {(key, measure): row for row, key, measure in rows}
    lines = tuple(
        (row_name(*key), whole(cells[key, NAMES[0]]["n"]), *(write(cells.get((key, m))) for m in NAMES))
        for key in below
    )
    columns = (Column(source), Column(unit), *MEASURE_COLUMNS)
    return Table(title, columns, lines, note, colours=row_colours(lines))


def _boxes(table: pd.DataFrame, name: str) -> Figure | Note:
    panels: dict[str, dict[str, Box]] = {label: {} for label in LABELS.values()}
    for row in records(table):
        if row["origin"] == "run" and row.get("median") is not None:
            panels[LABELS[row["measure"]]][source_name(row["source"])] = Box(
                row["q05"], row["q25"], row["median"], row["q75"], row["q95"], row["mean"]
            )
    sources = len(panels[LABELS[NAMES[0]]])
    about = About(
        f"How scanpaths vary: {name}",
        f"Boxes of six scanpath measures for {sources} sources, a panel for each measure.",
        "Line from 5 to 95 % of the scanpaths, box from 25 to 75 %, bar at the median, dot at the mean; the "
        "dashed line is the readers' median. A model that varies as they do has boxes as wide as theirs. "
        "Words counted.",
        tuple(LABELS.values()),
    )
    return boxes_figure(about, panels, reference=READERS)


def _all_numbers(table: pd.DataFrame, name: str) -> Table:
    resampled = "95 % (resampled)"
    columns = (
        *map(Column, ("source", "measure", "counted", "scanpaths", "mean")),
        *(Column("95 %", resampled), Column("SD"), Column("95 % of SD", resampled), Column("note")),
    )
    rows = tuple(
        (
            row_name(row["source"], row["origin"], row["corpus"]),
            LABELS[row["measure"]],
            row["convention"],
            whole(row["n"]),
            row["mean"],
            span(row.get("ci_low"), row.get("ci_high")),
            row["sd"],
            span(row.get("sd_low"), row.get("sd_high")),
            row.get("note") or "",
        )
        for row in records(table)
    )
    return Table(f"Variability, all numbers: {name}", columns, rows, colours=row_colours(rows))


def _mean_sd(row: Row | None) -> str:
    if row is None:
        return NOT_GIVEN
    sd = NOT_GIVEN if row["sd"] is None else f"{row['sd']:.2f}"
    return f"{row['mean']:.2f} ± {sd}"


def setting_name(table: pd.DataFrame) -> str:
    """Return the name of the setting of the run."""
    code = str(table.loc[table["origin"] == "run", "setting"].iloc[0])
    return SETTINGS.get(code, code)

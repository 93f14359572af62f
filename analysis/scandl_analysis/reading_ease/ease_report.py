"""The page on reading ease: systems compared, texts with intervals, the hardest ones as heat strips."""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.sax.saxutils import escape

import pandas as pd

from scandl.text.word_facts import n_characters
from scandl_analysis.reading_ease.ease import Ease
from scandl_analysis.reading_ease.text_measures import TIMES
from scandl_reports.document import (
    Cell,
    Column,
    Figure,
    Finding,
    Note,
    Report,
    Section,
    Table,
    Term,
    provenance_rows,
)
from scandl_reports.svg import INK

STRIPS = 3
"""Texts that are drawn."""
_LETTER, _ROW, _WIDTH = 7.4, 24.0, 720.0
_FULL = 200.0
"""Excess ms at which the colour is full."""
MEASURES = {
    "ms_per_word": ("ms per word", "Time of all fixations, divided by the number of words."),
    "rereading": ("rereading", "Time after the first pass, in ms per word."),
    "skipping": ("skipping", "Share of words skipped in first pass."),
    "regressions": ("regressions", "Share of first passes that end with a step to the left."),
    "flesch": ("Flesch", "Flesch's reading ease, by textstat; high is easy."),
    "surprisal": ("surprisal", "Mean over words, in nats of SmolLM2."),
    "judged_ease": (
        "judged ease",
        "Half of standardised Flesch less half of standardised surprisal.",
    ),
}
SHOWN = (
    ("ms_per_word", "ms_per_text", "judged_ease"),
    ("ms_per_character", "first_pass", "rereading", "skipping", "regressions", "flesch", "surprisal"),
)
"""Measures whose differences are shown, and those that are folded."""
TERMS = tuple(Term(name, about) for name, about in MEASURES.values())
LIMITS = (
    "Simulated readers predict reading times, not comprehension, interest or layout. How easy people call a"
    " text is predicted better by the index of judged ease, which uses no readers."
)


def ease_report(found: Ease) -> Report:
    """Return the page."""
    said = [
        *(Finding("Systems", line) for line in found.compared()),
        *(Finding("Groups", line) for line in found.flagged()),
    ]
    sections = [Section("Texts", (Note(LIMITS), _texts(found.texts)))]
    if len(found.systems):
        ranked, first, more = _ranked(found.systems), *(_differences(found.differences, m) for m in SHOWN)
        sections.insert(0, Section("Systems", (ranked, first), more=(more,)))
    if flagged := _groups(found.groups):
        sections.append(Section("Groups of readers", (flagged,)))
    sections.append(Section("What makes texts hard", _strips(found)))
    return Report(
        "Reading ease",
        found.notes[0],
        tuple(said) or (Finding("Texts", found.notes[0]),),
        tuple(sections),
        TERMS,
        provenance_rows(found.provenance.as_dict()),
        readers="Simulated",
    )


def heat_strip(words: Sequence[str], excess: Sequence[float]) -> str:
    """Return a drawing of a text, each word on a ground that is the redder the longer it takes.

    >>> heat_strip(["A", "cat"], [0.0, 100.0]).count("<rect")
    1
    """
    x, y, parts = 0.0, _ROW, []
    for word, ms in zip(words, excess, strict=True):
        width = _LETTER * n_characters(word)
        if x and x + width > _WIDTH:
            x, y = 0.0, y + _ROW
        if (share := min(ms / _FULL, 1.0)) > 0:
            ground = f'x="{x:.1f}" y="{y - 15:.1f}" width="{width:.1f}" height="20"'
            parts.append(f'<rect {ground} fill="#d55e00" opacity="{0.75 * share:.2f}"/>')
        parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" style="font: 12px monospace; fill: {INK}">{escape(word)}</text>'
        )
        x += width + _LETTER
    size = f'viewBox="0 0 {_WIDTH:.0f} {y + 12:.0f}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(parts)}</svg>'


def _texts(texts: pd.DataFrame) -> Table:
    rows = texts.sort_values("ms_per_word", ascending=False, kind="stable").to_dict("records")
    cells: list[tuple[Cell, ...]] = [
        (
            str(row["text_id"]),
            str(row["group"]),
            int(row["n_words"]),
            _ms(row["ms_per_word"]),
            _interval(row["ms_per_word_low"], row["ms_per_word_high"]),
            _ms(row["rereading"]),
            *(_number(row[name]) for name in ("skipping", "regressions")),
            _ms(row["flesch"]),
            *(_number(row[name]) for name in ("surprisal", "judged_ease")),
        )
        for row in rows
    ]
    heads = [Column("text"), Column("group"), Column("words"), Column("ms per word", "ms per word")]
    others = [Column(name, name) for name, _ in MEASURES.values() if name != "ms per word"]
    return Table("Texts, slowest to read first", (*heads, Column("95 %"), *others), tuple(cells))


def _ranked(systems: pd.DataFrame) -> Table:
    cells: list[tuple[Cell, ...]] = [
        (
            str(row["system"]),
            str(row["group"]),
            int(row["n_items"]),
            _ms(row["ms_per_word"]),
            _interval(row["low"], row["high"]),
        )
        for row in systems.to_dict("records")
    ]
    columns = (
        *map(Column, ("system", "group", "texts")),
        Column("ms per word", "ms per word"),
        Column("95 %"),
    )
    note = "Intervals over readers and items. Readers and items are the same for all, so look at differences."
    return Table("Systems, slowest to read first", columns, tuple(cells), note)


def _differences(differences: pd.DataFrame, measures: Sequence[str]) -> Table:
    chosen = differences["measure"].isin(measures) & (differences["n_items"] > 0)
    rows = differences[chosen].to_dict("records")
    cells: list[tuple[Cell, ...]] = [
        (
            f"{row['a']} – {row['b']}",
            str(row["group"]) or "no readers",
            str(row["measure"]).replace("_", " "),
            *(
                (_ms(row["difference"]), _interval(row["low"], row["high"]))
                if row["measure"] in TIMES
                else (_number(row["difference"]), _interval(row["low"], row["high"], 3))
            ),
            None if math.isnan(row["percent"]) else f"{row['percent']:+.1f} %".replace("-", "−"),
            f"{100 * row['higher']:.0f} % of {row['n_items']}",
            _number(row["p_holm"]),
        )
        for row in rows
    ]
    names = ("systems", "group", "measure", "difference", "95 %", "percent", "higher in")
    columns = (*(Column(name) for name in names), Column("p (Holm)", probability=True))
    title = "Paired differences between systems" + ("" if measures == SHOWN[0] else ", other measures")
    return Table(title, columns, tuple(cells))


def _groups(groups: pd.DataFrame) -> Table | None:
    rows = groups[groups["flagged"].astype(bool)].to_dict("records")
    cells: list[tuple[Cell, ...]] = [
        (
            str(row["text_id"]),
            str(row["group"]),
            _ms(row["percent"]),
            _interval(row["low"], row["high"]),
            str(row["words"]),
        )
        for row in rows
    ]
    columns = tuple(Column(name) for name in ("text", "harder for", "by percent", "95 %", "words"))
    return Table("Texts that are harder for a group than others are", columns, tuple(cells)) if rows else None


def _strips(found: Ease) -> tuple[Figure, ...]:
    """Return the texts that take longest per word, in every group."""
    order = found.texts.sort_values("ms_per_word", ascending=False, kind="stable")
    figures = []
    for text_id in order["text_id"].drop_duplicates()[:STRIPS]:
        for group, own in found.words[found.words["text_id"] == text_id].groupby("group", sort=False):
            words, excess = own["word"].tolist(), own["excess_ms"].tolist()
            rows = tuple(zip(words, excess, strict=True))
            title = f"Text {text_id}" + (f", readers {group}" if group else "")
            figures.append(
                Figure(
                    title,
                    heat_strip(words, excess),
                    f"The words of text {text_id}; those that take longer than expected are red.",
                    Table(title, (Column("word"), Column("excess ms")), rows),
                    "The redder a word, the longer it takes than words of its length in plain prose"
                    f" (full colour: {_FULL:.0f} ms).",
                )
            )
    return tuple(figures)


def _ms(value: float) -> int | None:
    """Return a number without digits behind the point."""
    return None if math.isnan(value) else round(value)


def _interval(low: float, high: float, digits: int | None = None) -> tuple[float, float] | None:
    return None if math.isnan(low) else (round(low, digits), round(high, digits))


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)

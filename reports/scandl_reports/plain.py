"""The report as plain text: for terminals, for tests, for people who like it so."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Sequence

from scandl.files.tables import column_blocks
from scandl_reports.document import Block, Figure, Note, Report, Table, Text, Viewer, numbered

WIDTH = 100
DATA_ROWS = 40  # of a figure; the rest is counted
_MARKS = {"note": "Note: ", "warning": "Warning: ", "missing": "Missing: "}


def to_plain(report: Report) -> str:
    """Return the whole report as text."""
    parts = [_headline(report.title, "="), *([_wrapped(report.subtitle)] if report.subtitle else [])]
    if report.verdict:
        parts.append(_headline("Verdict", "-"))
        parts += [_wrapped(f"{finding.about}: {finding.text}", "- ") for finding in report.verdict]
    if report.picture:
        parts.append(_block("Figure 1", report.picture))
    for section, blocks, more in numbered(report):
        parts.append(_headline(section.heading, "-"))
        parts += [_block(name, block) for name, block in (*blocks, *more)]
    if report.terms:
        parts.append(_headline("Definitions", "-"))
        parts += [_wrapped(f"{term.name}: {term.definition}", "- ") for term in report.terms]
    if report.provenance:
        parts.append(_headline("Provenance", "-"))
        parts.append("\n".join(f"{name}: {value}" for name, value in report.provenance))
    return "\n\n".join(parts) + "\n"


def table_text(table: Table, limit: int | None = None) -> str:
    """Return the rows in aligned columns, numbers flush right.

    Columns that do not fit a terminal go below the others; after ``limit`` rows the rest is counted.
    """
    cells = table.shown[:limit]
    header = [column.name for column in table.columns]
    widths = [max(_width(row[k]) for row in [header, *cells]) for k in range(len(header))]
    rows = [header, ["-" * width for width in widths], *cells]
    parts = [
        "\n".join(_line(row, widths, table.numeric, block) for row in rows)
        for block in column_blocks(header, widths, gap=2)
    ]
    more = len(table.rows) - len(cells)
    return "\n\n".join(parts) + (f"\n… and {more} more rows" if more else "")


def _block(name: str, block: Block) -> str:
    match block:
        case Text(text, lead):
            return _wrapped(f"{lead}: {text}" if lead else text)
        case Note(text, kind):
            return _wrapped(text, _MARKS[kind])
        case Table():
            lines = [f"{name}. {block.title}", table_text(block)]
            return "\n".join([*lines, *([_wrapped(block.note)] if block.note else [])])
        case Figure():
            said = [_wrapped(text) for text in (block.alt, block.caption) if text]
            return "\n".join([f"{name}. {block.title}", *said, table_text(block.data, DATA_ROWS)])
        case Viewer():
            return "\n".join([block.title, *(_wrapped(t) for t in (block.caption, block.on_paper) if t)])


def _headline(text: str, mark: str) -> str:
    return f"{text}\n{mark * min(_width(text), WIDTH)}"


def _wrapped(text: str, start: str = "") -> str:
    # A long word is moved to its own line, never cut: a path or a hash must stay whole.
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=start,
        subsequent_indent=" " * len(start),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _line(row: Sequence[str], widths: Sequence[int], numeric: Sequence[bool], block: Sequence[int]) -> str:
    padded = []
    for k in block:
        blank = " " * (widths[k] - _width(row[k]))
        padded.append(blank + row[k] if numeric[k] else row[k] + blank)
    return "  ".join(padded).rstrip()


def _width(text: str) -> int:
    """Return the columns a terminal needs: marks none, East Asian and emoji two.

    >>> _width("ab"), _width("日本"), _width("e\u0301")
    (2, 4, 1)
    """
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    marks = sum(unicodedata.category(character) in ("Mn", "Cf") for character in text)
    return len(text) + wide - marks

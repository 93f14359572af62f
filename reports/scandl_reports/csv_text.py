"""Tables as CSV text that a spreadsheet shows and never executes."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable

from scandl_reports.document import Cell, Table

_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_STARTS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def csv_text(table: Table) -> str:
    """Return header and rows at full precision; an interval takes two columns."""
    spans = [any(isinstance(row[k], tuple) for row in table.rows) for k in range(len(table.columns))]
    header: list[str] = []
    for column, span in zip(table.columns, spans, strict=True):
        header += [f"{column.name} low", f"{column.name} high"] if span else [column.name]
    stream = io.StringIO()
    lines = [[harmless(name) for name in header]]
    lines += [
        [part for cell, span in zip(row, spans, strict=True) for part in _parts(cell, span)]
        for row in table.rows
    ]
    # The writer of Python 3.11 leaves a lone carriage return bare, which would begin a new line.
    returns = any("\r" in cell for line in lines for cell in line)
    writer = csv.writer(stream, lineterminator="\n", quoting=csv.QUOTE_ALL if returns else csv.QUOTE_MINIMAL)
    writer.writerows(lines)
    return stream.getvalue()


def harmless(text: str) -> str:
    """Return the text with an apostrophe before what a spreadsheet would take for a formula.

    >>> harmless("=HYPERLINK(0)"), harmless("-0.5"), harmless("markov")
    ("'=HYPERLINK(0)", '-0.5', 'markov')
    """
    risky = text.startswith(_STARTS_A_FORMULA) and _NUMBER.fullmatch(text) is None
    return f"'{text}" if risky else text


def _parts(cell: Cell, span: bool) -> Iterable[str]:
    if isinstance(cell, tuple):
        return [repr(float(part)) for part in cell]
    text = "" if cell is None else repr(float(cell)) if isinstance(cell, float) else harmless(str(cell))
    return [text, ""] if span else [text]

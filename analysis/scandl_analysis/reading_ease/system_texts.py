"""The texts whose ease is asked for: from a file, a table or a list, perhaps of several systems."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scandl.errors import DataError, Fact, ScandlError
from scandl.files.cell_values import TEXT, is_text
from scandl.files.tables import TextTable, cell_text, read_table
from scandl.models.text_generation import as_sentences
from scandl.models.text_stream import STDIN, checked_text, texts_of
from scandl.options import listed
from scandl.records import Sentence

if TYPE_CHECKING:
    import pandas as pd

Texts = Any
"""A file, a pandas table, or texts as strings or records."""
ITEM = "item_id"
SYSTEM = "system"
"""The extra column of a record that says which system wrote its text."""


def system_texts(
    texts: Path | str | pd.DataFrame | Iterable[str | Sentence], by: str = ""
) -> Callable[[], Iterable[Sentence]]:
    """Return a function that gives the texts, as often as it is called; a file is read anew each time.

    ``by`` names the column that says which system a text is of, beside ``item_id``; or two or more columns,
    with commas, each of which holds the texts of one system, an item a row. Each text then has its item and,
    in ``extra``, its system.
    """
    if not by and isinstance(texts, Path | str) and str(texts) != STDIN:
        if next(iter(texts_of(texts)), None) is None:
            raise ScandlError(f"{texts}: found no texts, expected one or more")
        return lambda: texts_of(texts)
    found = _compared(texts, by) if by else _given(texts)
    if not found:
        raise ScandlError("found no texts, expected one or more")
    return lambda: found


def _compared(texts: Any, by: str) -> list[Sentence]:
    table = read_table(texts) if isinstance(texts, Path | str) else _table(texts)
    names = listed(by)
    rows = _long(table, names[0]) if len(names) == 1 else _wide(table, names)
    return _once(list(rows), table.path)


def _given(texts: Any) -> list[Sentence]:
    if isinstance(texts, Path | str):
        return list(texts_of(texts))
    if hasattr(texts, "columns"):
        (column,) = _table(texts).need("text")
        texts = column
    return as_sentences(texts)


def _table(frame: Any) -> TextTable:
    """Return a pandas table as one that was read."""
    if not hasattr(frame, "columns"):
        raise ScandlError(f"by: found {type(frame).__name__}, expected a file or a table with columns")
    columns = {str(name): [cell_text(cell) for cell in frame[name]] for name in frame.columns}
    return TextTable(Path("table"), columns)


def _long(table: TextTable, by: str) -> Iterator[Sentence]:
    systems, items, texts = table.need(by, ITEM, "text")
    for i, (system, item, text) in enumerate(zip(systems, items, texts, strict=True)):
        for column, cell in ((by, system), (ITEM, item)):
            if not cell:
                raise DataError(table.path, table.line(i), column, Fact("an empty cell"), "a name")
        yield _text(table, i, "text", text, item, system)


def _wide(table: TextTable, names: tuple[str, ...]) -> Iterator[Sentence]:
    cells = table.need(*names)
    items = table.columns.get(ITEM) or [str(i + 1) for i in range(len(table))]
    for i, item in enumerate(items):
        for system, column in zip(names, cells, strict=True):
            yield _text(table, i, system, column[i], item, system)


def _text(table: TextTable, i: int, column: str, cell: str, item: str, system: str) -> Sentence:
    text = " ".join(cell.split())
    if not text or not is_text(text):
        raise DataError(table.path, table.line(i), column, cell, TEXT)
    made = Sentence(f"{item}/{system}", text, item, {SYSTEM: system})
    return checked_text(made, f"{table.path}:{table.line(i)}")


def _once(rows: list[Sentence], path: Path) -> list[Sentence]:
    """Refuse a system that has two texts of one item, and a single system."""
    seen: set[str] = set()
    for row in rows:
        if row.sentence_id in seen:
            system = row.extra[SYSTEM]
            found = Fact(f"two texts of {system!r} for item {row.item!r}")
            raise DataError(path, None, None, found, "one text per item and system")
        seen.add(row.sentence_id)
    systems = {row.extra[SYSTEM] for row in rows}
    if len(systems) < 2:
        raise DataError(path, None, None, Fact(f"{len(systems)} systems"), "two or more to compare")
    return rows

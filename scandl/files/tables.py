"""Tables on disk: CSV and Parquet as columns of text, with errors that name the place; on a terminal, lines.

Everything is text here: identifiers are never turned into numbers, and the code that knows what
a column means turns it into one and says which row cannot be.
"""

from __future__ import annotations

import csv
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from scandl.errors import DataError, Fact
from scandl.extras import check_installed, need
from scandl.files.results import atomic_file

if TYPE_CHECKING:
    from _csv import Reader

    import pandas as pd
    import pyarrow as pa

ENDINGS = (".csv", ".parquet")
BINARY = (".parquet", ".xlsx")
"""Endings of tables that are no text."""
_BLOCK = 10_000
"""Rows of a pandas table that are Python objects at a time."""
TERMINAL = 100
"""Columns of a terminal that a printed table keeps to."""


class Problems:
    """Collects data errors instead of stopping at the first one.

    Readers call ``problems.add(error)`` and go on with the next row; a reader that was given no
    collector gets one that raises, so the first problem stops it.
    """

    def __init__(self, *, stop_at_first: bool = False) -> None:
        self.errors: list[DataError] = []
        self._stop_at_first = stop_at_first

    def add(self, error: DataError) -> None:
        """Keep ``error``, or raise it when this collector stops at the first."""
        if self._stop_at_first:
            raise error
        self.errors.append(error)


@dataclass(frozen=True, slots=True)
class TextTable:
    """Columns of equal length by name; row ``i`` stands in line ``line(i)`` of the file."""

    path: Path
    columns: dict[str, list[str]]
    lines: Sequence[int] = field(default=(), repr=False, compare=False)  # none = a row a line, no line blank

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), []))

    def line(self, i: int) -> int:
        """Return the line of the file in which the row begins: the header is line 1."""
        return self.lines[i] if self.lines else i + 2

    def need(self, *names: str) -> list[list[str]]:
        """Return the named columns, or say which one the header lacks."""
        for name in names:
            if name not in self.columns:
                raise DataError(
                    self.path,
                    1,
                    name,
                    Fact(f"only the columns {', '.join(self.columns)}"),
                    "a column of this name",
                )
        return [self.columns[name] for name in names]

    def rows(self) -> Iterable[dict[str, str]]:
        """Yield one dict per row."""
        for values in zip(*self.columns.values(), strict=True):
            yield dict(zip(self.columns, values, strict=True))


def read_table(path: Path | str, *, delimiter: str = ",", encoding: str = "utf-8-sig") -> TextTable:
    """Read a CSV file or, by the suffix, a Parquet file or the only sheet of an Excel file.

    A byte-order mark and Windows line ends, which spreadsheets add, are read as if absent.
    """
    source = Path(path)
    if not source.is_file():
        raise DataError(source, None, None, no_file(source), "a CSV or Parquet file")
    if source.suffix == ".parquet":
        return TextTable(source, _parquet_columns(source))
    if source.suffix == ".xlsx":
        return _excel_table(source)
    try:
        with source.open(encoding=encoding, newline="") as stream:
            return _csv_table(source, stream, delimiter)
    except UnicodeDecodeError as error:
        name = error.encoding.upper()
        found = Fact(f"byte {error.start} that is not {name}")
        raise DataError(source, None, None, found, f"{name} text") from None


def no_file(path: Path) -> Fact:
    """Say what stands where a file was expected."""
    if path.is_dir():
        return Fact("a folder")
    # A pipe can be read only once, and tables are looked at first and then read.
    return Fact("a pipe or device, not a regular file" if path.exists() else "no file")


def check_ending(path: Path | str, *more: str) -> Path:
    """Return the path, or say which endings there are; commands ask before the long work.

    ``more`` are endings that the writer knows beside those of tables.
    """
    target, (*others, last) = Path(path), (*ENDINGS, *more)
    if target.suffix not in (*others, last):
        expected = f"a name that ends in {', '.join(others)} or {last}"
        raise DataError(target, None, None, Fact(f"the ending {target.suffix!r}"), expected)
    if target.suffix == ".parquet":
        check_installed("pyarrow", extra="parquet")
    return target


def write_table(path: Path | str, columns: Mapping[str, Iterable[Any]]) -> None:
    """Write columns as CSV or, by the suffix, as Parquet, whole or not at all."""
    check_ending(path)
    with atomic_file(path) as temporary:
        if temporary.suffix == ".parquet":
            pa, parquet = need("pyarrow", "parquet"), need("pyarrow.parquet", "parquet")
            parquet.write_table(
                pa.table({name: pa.array(list(values)) for name, values in columns.items()}), temporary
            )
            return
        # Half a character, as a command line may hold, is spelt out: it must not cost the whole table.
        with temporary.open("w", encoding="utf-8", errors="backslashreplace", newline="") as stream:
            write_csv(stream, columns)


def write_frame(path: Path | str, frame: pd.DataFrame) -> None:
    """Write a table as CSV or Parquet, by the suffix; a missing value is an empty cell."""
    write_table(path, {str(name): _Cells(frame[name]) for name in frame})


def write_csv(stream: TextIO, columns: Mapping[str, Iterable[Any]]) -> None:
    """Write columns as CSV with a header."""
    # The writer of Python 3.11 leaves a lone carriage return bare, which no reader takes back.
    texts = (each.texts() if isinstance(each, _Cells) else each for each in columns.values())
    returns = any("\r" in cell for values in texts for cell in values if isinstance(cell, str))
    writer = csv.writer(stream, lineterminator="\n", quoting=csv.QUOTE_ALL if returns else csv.QUOTE_MINIMAL)
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))


def find_table(folder: Path, stem: str) -> Path:
    """Return ``stem.csv`` or ``stem.parquet`` in ``folder``; the CSV name when there is neither.

    A folder with both would have two truths, so that is refused.
    """
    text, binary = folder / f"{stem}.csv", folder / f"{stem}.parquet"
    if text.exists() and binary.exists():
        raise DataError(folder, None, None, Fact(f"both {text.name} and {binary.name}"), "one of them")
    return binary if binary.exists() else text


def numbered_rows(reader: Reader) -> Iterator[tuple[int, list[str]]]:
    """Yield each row with the line it begins in; blank lines, usually the last, are no rows."""
    line = reader.line_num + 1
    for row in reader:
        if row:
            yield line, row
        line = reader.line_num + 1  # a quoted cell may hold line ends


def _csv_table(path: Path, stream: Iterable[str], delimiter: str) -> TextTable:
    reader = csv.reader(stream, delimiter=delimiter, strict=True)
    try:
        header = next(reader, None)
        if not header:
            raise DataError(path, 1, None, Fact("an empty file"), "a header line with column names")
        _check_header(path, header, delimiter)
        rows, lines = [], []
        for line, row in numbered_rows(reader):
            if len(row) != len(header):
                found = Fact(f"{len(row)} fields")
                raise DataError(path, line, None, found, f"{len(header)} as in the header")
            rows.append(row)
            lines.append(line)
    except csv.Error as error:
        raise DataError(path, reader.line_num, None, Fact(error), "well-formed CSV") from None
    columns = zip(*rows, strict=True) if rows else ([] for _ in header)
    return TextTable(path, {name: list(values) for name, values in zip(header, columns, strict=True)}, lines)


def _check_header(path: Path, header: Sequence[str], delimiter: str) -> None:
    """Refuse another delimiter and two columns of one name."""
    for other in {",", ";", "\t"} - {delimiter}:
        if len(header) == 1 and other in header[0]:
            raise DataError(path, 1, None, Fact(f"the delimiter {other!r}"), f"{delimiter!r}")
    for name in header:
        if header.count(name) > 1:
            raise DataError(path, 1, name, Fact("two columns of this name"), "one")


def _parquet_columns(path: Path) -> dict[str, list[str]]:
    pa, parquet = need("pyarrow", "parquet"), need("pyarrow.parquet", "parquet")
    try:
        table = parquet.read_table(path)
    except (pa.ArrowException, OSError) as error:
        raise DataError(path, None, None, Fact(str(error).splitlines()[0]), "a Parquet file") from None
    _check_header(path, table.column_names, ",")
    return {name: _as_text(path, name, table.column(name)) for name in table.column_names}


def _excel_table(path: Path) -> TextTable:
    """Return the cells of the only sheet that has any; a formula is its last value, an empty row is none."""
    openpyxl = need("openpyxl", "excel")
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    except Exception as error:  # what is not a workbook fails in the zip reader, the XML reader or beyond
        found = Fact(str(error).splitlines()[0] if str(error) else "no workbook")
        raise DataError(path, None, None, found, "an Excel workbook (.xlsx)") from None
    sheets = {}
    for sheet in book.worksheets:
        rows = [(n, [cell_text(cell) for cell in row]) for n, row in enumerate(sheet.values, start=1)]
        if rows := [(n, row) for n, row in rows if any(row)]:
            sheets[sheet.title] = rows
    book.close()
    if len(sheets) != 1:
        found = Fact(f"cells in the sheets {', '.join(sheets)}" if sheets else "no cell")
        raise DataError(path, None, None, found, "one sheet with a header and rows")
    (_, header), *rows = next(iter(sheets.values()))
    width = max(n + 1 for n, name in enumerate(header) if name)
    _check_header(path, header[:width], ",")
    for line, row in rows:
        if any(row[width:]):
            raise DataError(path, line, None, Fact("a cell right of the last column name"), "a name for it")
    full = [row[:width] + [""] * (width - len(row)) for _, row in rows]
    columns = {name: [row[k] for row in full] for k, name in enumerate(header[:width])}
    return TextTable(path, columns, [line for line, _ in rows])


def _as_text(path: Path, name: str, column: pa.ChunkedArray) -> list[str]:
    """Return the values as a CSV file would hold them: missing is empty, a list is space-joined."""
    try:
        return [cell_text(value) for value in column.to_pylist()]
    except (ValueError, ArithmeticError) as error:  # dates beyond the calendar, bytes that are no text
        found = Fact(f"a value that cannot be read ({str(error).splitlines()[0]})")
        raise DataError(path, None, name, found, "text, numbers or lists of numbers") from None


def cell_text(value: object) -> str:
    """Return a value as a CSV file would hold it; an empty list is not nothing.

    A list in a list is no path and stays visible as such.

    >>> cell_text([0, 1.0, 3]), cell_text([]), cell_text([[0, 1], [2]]), cell_text(0.5), cell_text(None)
    ('0 1 3', '[]', '[0, 1] [2]', '0.5', '')
    """
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, Iterable):
        parts = [str(part) if isinstance(part, list) else cell_text(part) for part in value]
        return " ".join(parts) if parts else "[]"
    return str(value)


class _Cells:
    """The values of a column, None where there is none, whole numbers as such; made block by block."""

    def __init__(self, column: pd.Series[Any]) -> None:
        self.column = column
        self.whole = column.dtype.kind == "f" and bool((column.dropna() % 1 == 0).all())

    def __iter__(self) -> Iterator[object]:
        blocks = range(0, len(self.column), _BLOCK)
        return itertools.chain.from_iterable(map(self._block, blocks))

    def texts(self) -> Iterable[object]:
        """Return each text of the column once, or a little more often."""
        if self.column.dtype.kind in "biuf":
            return ()
        return self.column.cat.categories if hasattr(self.column, "cat") else self.column

    def _block(self, start: int) -> list[object]:
        part = self.column.iloc[start : start + _BLOCK]
        missing, values = part.isna().to_numpy(), part.to_numpy(object).tolist()
        if missing.any():
            return [None if none else self._cell(x) for x, none in zip(values, missing, strict=True)]
        return list(map(int, values)) if self.whole else values

    def _cell(self, value: Any) -> object:
        return int(value) if self.whole else value


def column_blocks(
    header: Sequence[str], widths: Sequence[int], gap: int, *, keys: int = 1, limit: int = TERMINAL
) -> list[list[int]]:
    """Return which columns are printed beside each other; the first ``keys`` are repeated in every block.

    An interval stays beside its estimate.

    >>> column_blocks(["model", "NLD", "n", "energy", "95 %"], [10, 40, 20, 10, 20], gap=2)
    [[0, 1, 2], [0, 3, 4]]
    """
    first = list(range(keys))
    units: list[list[int]] = []
    for k in range(keys, len(widths)):
        if units and header[k].startswith("95 %"):
            units[-1].append(k)
        else:
            units.append([k])
    blocks, used = [list(first)], sum(widths[:keys]) + gap * (keys - 1)
    for unit in units:
        width = sum(widths[k] + gap for k in unit)
        if used + width > limit and len(blocks[-1]) > keys:
            blocks.append(list(first))
            used = sum(widths[:keys]) + gap * (keys - 1)
        blocks[-1] += unit
        used += width
    return blocks


def text_rows(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table for a terminal; columns that say nothing are left out.

    >>> text_rows(["model", "note", "gain"], [["a", "", "0.5"]])
    ['model  gain', '-----  ----', 'a      0.5']
    """
    said = [k for k in range(len(header)) if any(row[k] for row in rows)]
    cells = [[row[k] for k in said] for row in [header, *rows]]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    cells.insert(1, ["-" * width for width in widths])
    lines: list[str] = []
    for block in column_blocks(cells[0], widths, gap=2):
        lines += [""] if lines else []
        lines += ["  ".join(row[k].ljust(widths[k]) for k in block).rstrip() for row in cells]
    return lines

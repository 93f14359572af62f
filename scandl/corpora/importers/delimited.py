"""Delimited text files as other tools write them: their delimiter, quotation marks and encoding."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from scandl.corpora.importers.coded import coded_arrow, coded_rows
from scandl.errors import DataError, Fact
from scandl.extras import is_installed
from scandl.files.tables import Table, numbered_rows, read_table

if TYPE_CHECKING:
    from _csv import Reader

    from scandl.corpora.importers.coded import Coded

_QUOTED_FIELD = re.compile(rb'"(?:[^"]|"")*"')


@dataclass(frozen=True, slots=True)
class Delimited:
    """One file and how it is written."""

    path: Path
    delimiter: str
    quoted: bool
    encoding: str | None  # the user's own word on it

    def read(self, names: Sequence[str]) -> dict[str, Coded]:
        """Return the columns of these names."""
        return self._by_arrow(names) if is_installed("pyarrow") else self._by_python(names)

    def _by_python(self, names: Sequence[str]) -> dict[str, Coded]:
        try:
            with self.path.open(encoding=with_mark(self.encoding), newline="") as stream:
                reader = self._reader(stream)
                return coded_rows(self.path, next(reader), numbered_rows(reader), names)
        except csv.Error as error:
            raise DataError(self.path, reader.line_num, None, Fact(error), "well-formed CSV") from None
        except UnicodeDecodeError as error:
            raise _not_text(self.path, error, self.encoding) from None

    def _reader(self, stream: Iterable[str]) -> Reader:
        return csv.reader(
            stream, delimiter=self.delimiter, quoting=csv.QUOTE_MINIMAL if self.quoted else csv.QUOTE_NONE
        )

    def _by_arrow(self, names: Sequence[str]) -> dict[str, Coded]:
        import pyarrow as pa
        from pyarrow import csv as arrow_csv

        text = pa.dictionary(pa.int32(), pa.string())
        try:
            table = arrow_csv.read_csv(
                self.path,
                # One thread: rows keep their numbers, which the errors need, and memory stays small.
                arrow_csv.ReadOptions(use_threads=False, encoding=self.encoding or "utf-8"),
                arrow_csv.ParseOptions(
                    delimiter=self.delimiter,
                    quote_char='"' if self.quoted else False,
                    newlines_in_values=self.quoted,
                ),
                arrow_csv.ConvertOptions(include_columns=names, column_types=dict.fromkeys(names, text)),
            )
        except (pa.ArrowInvalid, UnicodeDecodeError) as error:
            fields = re.search(r"Row #(\d+): Expected (\d+) columns, got (\d+)", str(error))
            if fields is None:
                raise _not_text(self.path, error, self.encoding) from None
            row, expected, got = fields.groups()
            line = self.line_of(int(row) - 2)  # theirs counts the header as 1, and no blank line
            found = Fact(f"{got} fields")
            raise DataError(self.path, line, None, found, f"{expected} as in the header") from None
        return {name: coded_arrow(table.column(name)) for name in names}

    def line_of(self, row: int) -> int | None:
        """Return the line in which a row begins, or None; only errors look it up."""
        with self.path.open(encoding=with_mark(self.encoding), errors="replace", newline="") as stream:
            try:
                rows = numbered_rows(self._reader(stream))
                return next((line for line, _ in islice(rows, row + 1, None)), None)
            except csv.Error:  # a field beyond what this reader takes
                return None


def read_delimited(path: Path, encoding: str | None = None) -> Table:
    """Read all columns of a text table with whatever delimiter it has, or of a Parquet file."""
    delimiter = sniff(path, encoding)[1] if path.is_file() and path.suffix != ".parquet" else ","
    return read_table(path, delimiter=delimiter, encoding=with_mark(encoding))


def sniff(path: Path, encoding: str | None = None) -> tuple[list[str], str]:
    """Return the header and the delimiter of a text table."""
    try:
        with path.open(encoding=with_mark(encoding), newline="") as stream:
            line = stream.readline()
    except (UnicodeError, LookupError) as error:
        raise _not_text(path, error, encoding) from None
    if not line.strip():
        raise DataError(path, 1, None, Fact("an empty file"), "a header line with column names")
    delimiter = next((mark for mark in "\t;" if mark in line), ",")
    return next(csv.reader([line.rstrip("\r\n")], delimiter=delimiter)), delimiter


def quotes_delimit(path: Path, enough: int = 10_000) -> bool:
    """Say whether quotation marks enclose fields in a tab-separated file or belong to the words.

    Data Viewer writes a word such as ``"Hello`` or ``"Yes"`` as it is. A tool that quotes does so
    in the header too, or only where it must: then marks inside a quoted field are doubled, or a
    tab or line end stands inside. A word that breaks the rule of quoting without breaking the row
    shows that nobody quoted.
    """
    with path.open("rb") as stream:
        header = stream.readline()
        if b'"' in header:
            return True
        tabs = header.count(b"\t")
        doubled = seen = 0
        for line, following in pairwise(chain(stream, [b""])):
            if b'"' not in line:
                continue
            if line.count(b"\t") != tabs:
                return True
            fields = line.rstrip(b"\r\n").split(b"\t")
            opened = [field for field in fields if field.startswith(b'"')]
            if not all(_QUOTED_FIELD.fullmatch(field) for field in opened):
                # In the last field the line end may stand inside the marks; then the next line is a rest.
                return fields[-1].startswith(b'"') and bool(following) and following.count(b"\t") != tabs
            doubled += any(b'""' in field[1:-1] for field in opened)
            seen += 1
            if seen >= enough:
                break
    return doubled > 0


def with_mark(encoding: str | None) -> str:
    """Return the codec that also skips the byte-order mark which spreadsheets put first."""
    return "utf-8-sig" if encoding is None or encoding.lower().replace("-", "") == "utf8" else encoding


def _not_text(path: Path, error: Exception, encoding: str | None) -> DataError:
    expected = "UTF-8 text" if encoding is None else "UTF-8 text (else: --encoding NAME)"
    return DataError(path, None, None, Fact(str(error).splitlines()[0]), expected)

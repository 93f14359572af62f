"""Delimited text files as other tools write them: their delimiter, quotation marks and encoding."""

from __future__ import annotations

import codecs
import csv
import re
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scandl.errors import DataError, Fact
from scandl.extras import is_installed
from scandl.files.tables import BINARY, TextTable, numbered_rows, read_table

if TYPE_CHECKING:
    from _csv import Reader

    import numpy as np
    import pyarrow as pa

    Coded = tuple[list[str], np.ndarray[Any, np.dtype[np.int64]]]
    """The texts in the order in which they are first met, and for each row the number of its text."""

_QUOTED_FIELD = re.compile(r'"(?:[^"]|"")*"')
_MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
MISSING = frozenset({"", ".", "-1", "-1.0", "NA", "N/A", "NaN", "nan", "None", "null", "NULL"})
"""What reports write where there is no word or no value."""
_BATCH = 10_000  # rows that are turned into columns at a time
_SAMPLE = 4096  # bytes that show how often a byte is 0


class _Numbers(dict[str, int]):
    """The number of each text met so far; a new text gets the next one."""

    def __missing__(self, text: str) -> int:
        self[text] = number = len(self)
        return number


def coded_rows(
    path: Path, header: Sequence[str], rows: Iterable[tuple[int, list[str]]], names: Sequence[str]
) -> dict[str, Coded]:
    """Return the named columns of rows that come with their lines; a row of another width is an error."""
    import numpy as np

    wanted = [(header.index(name), _Numbers(), array("q")) for name in names]
    numbered = iter(rows)
    while batch := list(islice(numbered, _BATCH)):
        for line, row in batch:
            if len(row) != len(header):
                expected = f"{len(header)} as in the header"
                raise DataError(path, line, None, Fact(f"{len(row)} fields"), expected)
        for k, numbers, codes in wanted:
            codes.extend(map(numbers.__getitem__, [row[k] for _, row in batch]))
    return {
        name: (list(numbers), np.array(codes, dtype=np.int64))
        for name, (_, numbers, codes) in zip(names, wanted, strict=True)
    }


def coded_arrow(column: pa.ChunkedArray) -> Coded:
    """Return a column that Arrow read as dictionaries."""
    import numpy as np

    chunks = column.unify_dictionaries().chunks
    if not chunks:
        return [], np.zeros(0, dtype=np.int64)
    codes = np.concatenate([chunk.indices.to_numpy(zero_copy_only=False) for chunk in chunks])
    return chunks[-1].dictionary.to_pylist(), codes.astype(np.int64)


@dataclass(frozen=True, slots=True)
class Delimited:
    """One file and how it is written."""

    path: Path
    delimiter: str
    quoted: bool
    encoding: str = "utf-8-sig"
    said: bool = False  # whether the encoding is the user's own word

    @classmethod
    def of(cls, path: Path, encoding: str | None = None) -> tuple[list[str], Delimited]:
        """Return the header of a file and how it is written; ``encoding`` is the user's own word."""
        found = encoding_of(path, encoding)
        header, delimiter = sniff(path, found, said=encoding is not None)
        quoted = delimiter != "\t" or quotes_delimit(path, encoding=found)
        return header, cls(path, delimiter, quoted, found, encoding is not None)

    def read(self, names: Sequence[str]) -> dict[str, Coded]:
        """Return the columns of these names."""
        return self._by_arrow(names) if is_installed("pyarrow") else self._by_python(names)

    def _by_python(self, names: Sequence[str]) -> dict[str, Coded]:
        try:
            with self.path.open(encoding=self.encoding, newline="") as stream:
                reader = self._reader(stream)
                return coded_rows(self.path, next(reader), numbered_rows(reader), names)
        except csv.Error as error:
            raise DataError(self.path, reader.line_num, None, Fact(error), "well-formed CSV") from None
        except UnicodeDecodeError as error:
            raise _not_text(self.path, error, said=self.said) from None

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
                arrow_csv.ReadOptions(use_threads=False, encoding=self.encoding.removesuffix("-sig")),
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
                raise _not_text(self.path, error, said=self.said) from None
            row, expected, got = fields.groups()
            line = self.line_of(int(row) - 2)  # theirs counts the header as 1, and no blank line
            found = Fact(f"{got} fields")
            raise DataError(self.path, line, None, found, f"{expected} as in the header") from None
        return {name: coded_arrow(table.column(name)) for name in names}

    def line_of(self, row: int) -> int | None:
        """Return the line in which a row begins, or None; only errors look it up."""
        with self.path.open(encoding=self.encoding, errors="replace", newline="") as stream:
            try:
                rows = numbered_rows(self._reader(stream))
                return next((line for line, _ in islice(rows, row + 1, None)), None)
            except csv.Error:  # a field beyond what this reader takes
                return None


def read_delimited(path: Path, encoding: str | None = None) -> TextTable:
    """Read all columns of a text table with whatever delimiter and encoding it has, or of a binary one."""
    if not path.is_file() or path.suffix in BINARY:
        return read_table(path)
    found = encoding_of(path, encoding)
    return read_table(path, delimiter=sniff(path, found, said=encoding is not None)[1], encoding=found)


def encoding_of(path: Path, said: str | None = None) -> str:
    """Return the codec of a text file: the user's own word, else its mark, else what its bytes can be.

    UTF-16 without a mark has a 0 beside every plain letter. What is no UTF-8 is cp1252, which
    Windows programs of western languages write.
    """
    if said is not None:
        return "utf-8-sig" if said.lower().replace("-", "") == "utf8" else said
    with path.open("rb") as stream:
        start = stream.read(_SAMPLE)
        for mark, codec in _MARKS.items():
            if start.startswith(mark):
                return codec
        for place, codec in ((1, "utf-16-le"), (0, "utf-16-be")):
            if len(start) > 1 and 2 * start[place::2].count(0) > len(start[place::2]):
                return codec
        stream.seek(0)
        decoder = codecs.getincrementaldecoder("utf-8")()
        try:
            while block := stream.read(1 << 20):
                decoder.decode(block)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return "cp1252"
    return "utf-8-sig"


def encoding_note(path: Path, said: str | None = None) -> str:
    """Say that a file was taken for cp1252, which only its reader can confirm; nothing otherwise."""
    if said is not None or path.suffix in BINARY or encoding_of(path) != "cp1252":
        return ""
    return f"{path.name} is not UTF-8 and was read as cp1252 (else: --encoding NAME)"


def sniff(path: Path, encoding: str, *, said: bool = True) -> tuple[list[str], str]:
    """Return the header and the delimiter of a text table."""
    try:
        with path.open(encoding=encoding, newline="") as stream:
            line = stream.readline()
    except (UnicodeError, LookupError) as error:
        raise _not_text(path, error, said=said) from None
    if not line.strip():
        raise DataError(path, 1, None, Fact("an empty file"), "a header line with column names")
    delimiter = next((mark for mark in "\t;|," if mark in line), "")
    if not delimiter and " " in line.strip():
        expected = "columns apart by tab, comma, semicolon or bar (in R: write.csv(data, row.names = FALSE))"
        raise DataError(path, 1, None, line.strip(), expected)
    delimiter = delimiter or ","
    return next(csv.reader([line.rstrip("\r\n")], delimiter=delimiter)), delimiter


def quotes_delimit(path: Path, enough: int = 10_000, *, encoding: str = "utf-8-sig") -> bool:
    """Say whether quotation marks enclose fields in a tab-separated file or belong to the words.

    Data Viewer writes a word such as ``"Hello`` or ``"Yes"`` as it is. A tool that quotes does so
    in the header too, or only where it must: then marks inside a quoted field are doubled, or a
    tab or line end stands inside. A word that breaks the rule of quoting without breaking the row
    shows that nobody quoted.
    """
    with path.open(encoding=encoding, errors="replace", newline="") as stream:
        header = stream.readline()
        if '"' in header:
            return True
        tabs = header.count("\t")
        doubled = seen = 0
        for line, following in pairwise(chain(stream, [""])):
            if '"' not in line:
                continue
            if line.count("\t") != tabs:
                return True
            fields = line.rstrip("\r\n").split("\t")
            opened = [field for field in fields if field.startswith('"')]
            if not all(_QUOTED_FIELD.fullmatch(field) for field in opened):
                # In the last field the line end may stand inside the marks; then the next line is a rest.
                return fields[-1].startswith('"') and bool(following) and following.count("\t") != tabs
            doubled += any('""' in field[1:-1] for field in opened)
            seen += 1
            if seen >= enough:
                break
    return doubled > 0


def _not_text(path: Path, error: Exception, *, said: bool) -> DataError:
    expected = "text in the encoding that was named" if said else "text in UTF-8, UTF-16 or cp1252"
    return DataError(path, None, None, Fact(str(error).splitlines()[0]), f"{expected} (--encoding NAME)")

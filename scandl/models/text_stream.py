"""Texts one after the other, from a file of any size or from standard input, with ids that stay theirs.

A plain file has one text a line, and line 3 is text t3. Tables (CSV, Parquet, JSON lines) have a column
``text`` and may have ``sentence_id``; without it the row counts, so that a part of a file gives its texts
the ids they have in the whole.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Self, TextIO

from scandl.errors import DataError, Fact, ScandlError
from scandl.extras import need
from scandl.files.cell_values import IDENTIFIER, TEXT, is_name, is_text
from scandl.files.json_tables import LINES, parse_json
from scandl.files.tables import cell_text, no_file, numbered_rows
from scandl.records import NOTHING, Sentence
from scandl.text.word_facts import is_unsegmented

STDIN = "-"
"""The name of standard input where the name of a file may stand."""
MOST_WORDS = 1000
"""No text may be longer: nobody reads it as a unit, and the time it takes grows with the square."""
LONGEST_LINE = 10_000_000
"""Characters of a line of texts: a thousand words, each as long as a word may be."""
_ROWS = 10_000  # of a Parquet file that are held at once
_EXPECTED = "a file of texts: one a line, or .csv, .jsonl or .parquet with a column text"

GIVEN = "given"
"""The column of a table of texts, and of ``Sentence.extra``, that says what is known of the paths."""
Row = tuple[int, str, str, str]
"""Line or row, identifier (empty: none given), text, what is known of its paths (empty: nothing)."""


@dataclass(frozen=True, slots=True)
class Shard:
    """One of several equal parts of a file, each of them in one piece.

    >>> [Shard(i, 3).part(10) for i in (1, 2, 3)]
    [range(0, 3), range(3, 6), range(6, 10)]
    """

    number: int = 1  # from 1
    of: int = 1

    @classmethod
    def named(cls, text: str) -> Self:
        """Return the part that a flag such as ``1/4`` names."""
        number, slash, of = text.partition("/")
        if not (slash and number.isdigit() and of.isdigit() and 1 <= int(number) <= int(of)):
            raise ScandlError(f"--shard {text}: expected a part such as 1/4")
        return cls(int(number), int(of))

    def part(self, n: int) -> range:
        """Return the texts of this part among ``n``."""
        return range((self.number - 1) * n // self.of, self.number * n // self.of)


def texts_of(source: Path | str, shard: Shard | None = None) -> Iterator[Sentence]:
    """Yield the texts of a file, or of standard input (``-``); blank lines are left out but counted."""
    checked = _checked(source)
    rows = _rows(checked)
    if shard is not None and shard.of > 1:
        if checked is None:
            raise ScandlError("--shard needs the name of a file: how long standard input is nobody knows")
        part = shard.part(sum(1 for _ in _rows(checked)))
        rows = islice(rows, part.start, part.stop)
    return _sentences(rows, checked or Path("standard input"))


def _sentences(rows: Iterable[Row], path: Path) -> Iterator[Sentence]:
    for line, key, raw, given in rows:
        text = " ".join(raw.split())
        if not text:
            continue
        if not is_text(text):
            raise DataError(path, line, None, text, TEXT)
        if not is_name(key):
            raise DataError(path, line, "sentence_id", key, IDENTIFIER)
        known = {GIVEN: given} if given else NOTHING
        yield checked_text(Sentence(key or f"t{line}", text, extra=known), f"{path}:{line}")


def checked_text(sentence: Sentence, place: str) -> Sentence:
    """Return a text that can be read in one go, or say that it must be cut."""
    if sentence.n_words > MOST_WORDS:
        raise ScandlError(
            f"{place}: found a text of {sentence.n_words:,} words, expected at most {MOST_WORDS:,}:"
            " cut it into paragraphs"
        )
    if is_unsegmented(sentence.text):
        raise ScandlError(
            f"{place}: found a text whose words are not parted by spaces, expected a space between words:"
            " positions are numbers of words"
        )
    return sentence


def _checked(source: Path | str) -> Path | None:
    """Return the file; None is standard input."""
    if str(source) == STDIN:
        return None
    path = Path(source)
    if path.is_dir() or not path.exists():
        raise DataError(path, None, None, no_file(path), _EXPECTED)
    if path.suffix == ".json":
        raise DataError(path, None, None, Fact("the ending '.json'"), _EXPECTED)
    return path


def _rows(path: Path | None) -> Iterator[Row]:
    """Yield lines or rows, numbered from 1; in a plain file those of blank lines too."""
    ending = "" if path is None else path.suffix
    if ending == ".parquet":
        assert path is not None
        yield from _parquet_rows(path)
        return
    with _opened(path) as stream:
        if ending == ".csv":
            yield from _csv_rows(path or Path(), stream)
        elif ending in LINES:
            yield from _json_rows(path or Path(), stream)
        else:
            yield from _plain_rows(path or Path("standard input"), stream)


@contextmanager
def _opened(path: Path | None) -> Iterator[TextIO]:
    """Open a file; what is not UTF-8 is told with the line it stands in, by the name of the file."""
    if path is None:
        if sys.stdin is None:
            raise ScandlError("standard input is closed, expected texts")
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(encoding="utf-8-sig", errors="surrogateescape")
        yield sys.stdin
        return
    with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as stream:
        yield stream


def _plain_rows(path: Path, stream: TextIO) -> Iterator[Row]:
    """Yield lines; standard input may be JSON lines too, which nothing but a brace can tell."""
    lines = enumerate(_lines(path, stream), start=1)
    for number, line in lines:
        _check_utf8(path, number, line)
        if number == 1 and path.name == "standard input" and line.lstrip().startswith("{"):
            yield _json_row(path, number, line)
            yield from (_json_row(path, n, later) for n, later in lines)
            return
        yield number, "", line, ""


def _lines(path: Path, stream: TextIO) -> Iterator[str]:
    """Yield lines; one that does not end, as of a device, is refused before it takes all memory."""
    number = 0
    while line := stream.readline(LONGEST_LINE):
        number += 1
        if len(line) == LONGEST_LINE:
            found = Fact(f"{LONGEST_LINE:,} characters without a line break")
            raise DataError(path, number, None, found, "lines of text")
        yield line


def _json_rows(path: Path, stream: TextIO) -> Iterator[Row]:
    for number, line in enumerate(_lines(path, stream), start=1):
        _check_utf8(path, number, line)
        if line.strip():
            yield _json_row(path, number, line)


def _json_row(path: Path, number: int, line: str) -> Row:
    record = parse_json(path, line, number)
    if not isinstance(record, dict):
        raise DataError(path, number, None, line.strip(), 'a record such as {"text": "The cat sat."}')
    return _row(path, number, record)


def _csv_rows(path: Path, stream: TextIO) -> Iterator[Row]:
    reader = csv.reader(_lines(path, stream), strict=True)
    try:
        header = next(reader, None)
        if not header or "text" not in header:
            found = Fact(f"the columns {', '.join(header)}" if header else "an empty file")
            raise DataError(path, 1, "text", found, "a column of this name")
        for number, (line, row) in enumerate(numbered_rows(reader), start=1):
            _check_utf8(path, line, "".join(row))
            if len(row) != len(header):
                found = Fact(f"{len(row)} fields")
                raise DataError(path, line, None, found, f"{len(header)} as in the header")
            yield _row(path, number, dict(zip(header, row, strict=True)))
    except csv.Error as error:
        raise DataError(path, reader.line_num, None, Fact(error), "well-formed CSV") from None


def _parquet_rows(path: Path) -> Iterator[Row]:
    pa, parquet = need("pyarrow", "parquet"), need("pyarrow.parquet", "parquet")
    try:
        with parquet.ParquetFile(path) as file:
            names = [name for name in ("sentence_id", "text", GIVEN) if name in file.schema_arrow.names]
            if "text" not in names:
                found = Fact(f"the columns {', '.join(file.schema_arrow.names)}")
                raise DataError(path, None, "text", found, "a column of this name")
            number = 0
            for batch in file.iter_batches(_ROWS, columns=names):
                for record in batch.to_pylist():
                    number += 1
                    yield _row(path, number, record)
    except (pa.ArrowException, OSError) as error:
        raise DataError(path, None, None, Fact(str(error).splitlines()[0]), "a Parquet file") from None


def _row(path: Path, number: int, record: Mapping[str, Any]) -> Row:
    if not isinstance(record.get("text"), str | None) or "text" not in record:
        raise DataError(path, number, "text", json.dumps(record.get("text")), "a text")
    given = cell_text(record.get(GIVEN))
    return number, cell_text(record.get("sentence_id")), record["text"] or "", given


def _check_utf8(path: Path, line: int, text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        byte = ord(text[error.start]) - 0xDC00
        found = Fact(f"byte 0x{byte:02x} that is not UTF-8" if 0x80 <= byte <= 0xFF else "half a character")
        raise DataError(path, line, None, found, "UTF-8 text") from None

"""Large delimited reports: the columns that are wanted, each distinct text kept and parsed once.

A fixation report has millions of cells but few distinct ones (readers, sentences, words,
milliseconds), so a column is held as a dictionary of texts and a code per row.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scandl.corpora.importers.column_meanings import by_meaning, joined_cell, parts_of
from scandl.corpora.importers.delimited import MISSING, Delimited
from scandl.errors import DataError, Fact
from scandl.files.cell_values import parse_number
from scandl.files.tables import BINARY, no_file, read_table

if TYPE_CHECKING:
    import numpy as np

    from scandl.corpora.importers.delimited import Coded

    Floats = np.ndarray[Any, np.dtype[np.float64]]
    Ints = np.ndarray[Any, np.dtype[np.int64]]

_DECIMAL_COMMA = re.compile(r"(?<=\d),(?=(?:\d{1,2}|\d{4,})\s*$)")
"""As German Excel writes it; before three digits a comma may stand for thousands, and is refused."""


@dataclass(frozen=True, slots=True)
class ReportColumn:
    """The distinct texts of a column, and for each row which of them it holds."""

    name: str  # as the file has it
    texts: list[str]
    codes: Ints

    @classmethod
    def of(cls, name: str, values: Iterable[str]) -> ReportColumn:
        """Build a column from its cells."""
        import numpy as np

        numbers: dict[str, int] = {}
        codes = [numbers.setdefault(value, len(numbers)) for value in values]
        return cls(name, list(numbers), np.array(codes, dtype=np.int64))

    def only(self, wanted: np.ndarray[Any, np.dtype[np.bool_]]) -> ReportColumn:
        """Return the wanted rows, with the texts that occur in them."""
        import numpy as np

        codes = self.codes[wanted]
        used = np.zeros(len(self.texts), dtype=bool)
        used[codes] = True
        texts = [text for text, occurs in zip(self.texts, used.tolist(), strict=True) if occurs]
        return ReportColumn(self.name, texts, (np.cumsum(used) - 1)[codes])


def _a_row_a_line(row: int) -> int:
    return row + 2


@dataclass(frozen=True, slots=True)
class FixationReport:
    """The wanted columns of one file by their meaning."""

    path: Path
    columns: dict[str, ReportColumn]
    rows: Ints | None = None  # which rows of the file these are; None = all
    line_of: Callable[[int], int | None] = _a_row_a_line  # where a row of the file begins
    choosable: bool = False  # whether the importer lets the user name the column of a meaning

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())).codes) if self.columns else 0

    def __contains__(self, meaning: str) -> bool:
        return meaning in self.columns

    def __getitem__(self, meaning: str) -> ReportColumn:
        return self.columns[meaning]

    def only(self, wanted: np.ndarray[Any, np.dtype[np.bool_]]) -> FixationReport:
        """Return the report with the wanted rows."""
        import numpy as np

        kept = {meaning: column.only(wanted) for meaning, column in self.columns.items()}
        rows = np.flatnonzero(wanted) if self.rows is None else self.rows[wanted]
        return replace(self, columns=kept, rows=rows)

    def cell(self, row: int, meaning: str) -> str:
        """Return one cell."""
        return self[meaning].texts[int(self[meaning].codes[row])]

    def identifiers(self, *meanings: str) -> None:
        """Raise for the first row that has no identifier in one of these columns."""
        for meaning in meanings:
            texts = self[meaning].texts
            absent = [code for code, text in enumerate(texts) if text.strip() in ("", ".")]
            self._refuse(meaning, absent, "an identifier")

    def numbers(
        self, meaning: str, read: Callable[[str], float], expected: str, missing: frozenset[str] = MISSING
    ) -> Floats:
        """Return a column as numbers, NaN where it says missing; the first bad row is an error."""
        import numpy as np

        column = self[meaning]
        values = np.full(len(column.texts), np.nan)
        bad: list[int] = []
        for code, text in enumerate(column.texts):
            if text.strip() in missing:
                continue
            try:
                values[code] = read(_DECIMAL_COMMA.sub(".", text))
            except ValueError:
                bad.append(code)
        self._refuse(meaning, bad, expected)
        return values[column.codes] if len(values) else np.zeros(0)

    def _refuse(self, meaning: str, bad: Sequence[int], expected: str) -> None:
        """Raise for the first row that holds one of the texts with these codes, if any does."""
        import numpy as np

        rows = np.flatnonzero(np.isin(self[meaning].codes, bad))
        if len(rows):
            raise self.error(int(rows[0]), meaning, self.cell(int(rows[0]), meaning), expected)

    def error(self, row: int, meaning: str, found: object, expected: str) -> DataError:
        """Return the error that names this row and the column that carries ``meaning``."""
        in_file = row if self.rows is None else int(self.rows[row])
        return DataError(self.path, self.line_of(in_file), self[meaning].name, found, expected)

    def advice(self, text: str) -> str:
        """Return advice to name a column, where the importer has a flag for it, else nothing."""
        return text if self.choosable else ""


def read_report(
    path: Path | str,
    needed: Sequence[str],
    optional: Sequence[str] = (),
    *,
    chosen: Mapping[str, str] | None = None,
    preferred: Mapping[str, str] | None = None,
    encoding: str | None = None,
) -> FixationReport:
    """Read the columns with these meanings from a tab-, comma- or semicolon-separated file.

    Parameters
    ----------
    path
        The report.
    needed, optional
        Meanings; see ``scandl.files.column_names`` for the names that are recognised.
    chosen
        The user's own word on which column has a meaning; None if the importer does not ask for it.
    preferred
        The name that wins when the layout is known and several columns could have a meaning.
    encoding
        The user's own word on the encoding; None if the importer does not ask for it.
    """
    source = Path(path)
    if not source.is_file():
        raise DataError(source, None, None, no_file(source), "a fixation or interest-area report")
    if source.suffix in BINARY:
        return report_of(source, read_table(source).columns, needed, optional, chosen, preferred)
    header, file = Delimited.of(source, encoding)
    names = by_meaning(source, header, needed, optional, chosen, preferred or {})
    read = file.read(sorted({part for name in names.values() for part in parts_of(name, header)}))
    columns = {meaning: _joined_codes(name, read) for meaning, name in names.items()}
    return _with_rows(FixationReport(source, columns, line_of=file.line_of, choosable=chosen is not None))


def report_of(
    path: Path,
    cells: Mapping[str, Sequence[str]],
    needed: Sequence[str],
    optional: Sequence[str] = (),
    chosen: Mapping[str, str] | None = None,
    preferred: Mapping[str, str] | None = None,
) -> FixationReport:
    """Return the columns with these meanings of a table that was read already; see ``read_report``."""
    names = by_meaning(path, list(cells), needed, optional, chosen, preferred or {})
    columns = {meaning: _joined(name, cells) for meaning, name in names.items()}
    return _with_rows(FixationReport(path, columns, choosable=chosen is not None))


def _with_rows(report: FixationReport) -> FixationReport:
    if not len(report):
        raise DataError(report.path, None, None, Fact("a header and no rows"), "at least one row")
    return report


def _joined(name: str, cells: Mapping[str, Sequence[str]]) -> ReportColumn:
    parts = parts_of(name, list(cells))
    return ReportColumn.of(name, map(joined_cell, zip(*(cells[part] for part in parts), strict=True)))


def _joined_codes(name: str, read: Mapping[str, Coded]) -> ReportColumn:
    parts = parts_of(name, list(read))
    if len(parts) == 1:
        return ReportColumn(name, *read[name])
    import numpy as np

    pairs, codes = np.unique(np.column_stack([read[part][1] for part in parts]), axis=0, return_inverse=True)
    texts = [
        joined_cell([read[part][0][code] for part, code in zip(parts, pair, strict=True)])
        for pair in pairs.tolist()
    ]
    return ReportColumn(name, *distinct(texts, codes.reshape(-1)))


def finite(text: str) -> float:
    """Return a number that is not infinite.

    >>> finite("2.5")
    2.5
    """
    value = parse_number(text)
    if math.isinf(value):
        raise ValueError(text)
    return value


def plain_number(text: str) -> str:
    """Return numbers in a name as whole ones, which tools write as 3.0 beside missing values.

    >>> plain_number("b0_3.0"), plain_number("12.0"), plain_number("t.01.01")
    ('b0_3', '12', 't.01.01')
    """
    return re.sub(r"(?:(?<=_)|^)(\d+)\.0(?=_|$)", r"\1", text)


def with_plain_ids(report: FixationReport) -> FixationReport:
    """Return the report with whole numbers in the names of texts."""
    column = report["sentence_id"]
    texts, codes = distinct([plain_number(text) for text in column.texts], column.codes)
    return replace(report, columns=report.columns | {"sentence_id": ReportColumn(column.name, texts, codes)})


def distinct(texts: Sequence[str], codes: Ints) -> tuple[list[str], Ints]:
    """Return texts that may be the same as distinct ones, with their codes."""
    import numpy as np

    numbers: dict[str, int] = {}
    places = np.array([numbers.setdefault(text, len(numbers)) for text in texts], dtype=np.int64)
    return list(numbers), places[codes]


def whole_number(text: str) -> float:
    """Return a whole number; ``3.0``, which table tools make of 3 beside missing values, is one.

    >>> whole_number("3.0")
    3.0
    """
    value = parse_number(text)
    if not value.is_integer():
        raise ValueError(text)
    return value

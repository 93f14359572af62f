"""Tables as JSON: a list of records, an object of columns, or one record a line."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from scandl.errors import DataError, Fact
from scandl.files.tables import TextTable, cell_text, no_file

LINES = (".jsonl", ".ndjson")
JSON_ENDINGS = (".json", *LINES)
_EXPECTED = "JSON: a list of records, an object of columns, or the lists of the released code"
_NUMBERS = ("predicted", "human", "durations", "symbols")
_SURROGATE = re.compile(r"\\u[dD][89abcdefABCDEF]")


def read_json_lines(path: Path) -> TextTable:
    """Read a table that has one JSON object a line; blank lines are no rows."""
    records, lines = [], []
    for number, line in enumerate(_text(path).split("\n"), start=1):
        if line.strip():
            records.append(_record(path, number, parse_json(path, line, number)))
            lines.append(number)
    return _table(path, records, lines)


def read_json(path: Path) -> Any:
    """Return what a JSON file holds, or say that it is broken."""
    return parse_json(path, _text(path))


def json_table(path: Path, loaded: object) -> TextTable:
    """Return a loaded JSON value as a table; row i is the i-th record."""
    if isinstance(loaded, list):
        records = [_record(path, i, record) for i, record in enumerate(loaded, start=1)]
        return _table(path, records, range(1, len(records) + 1))
    if not isinstance(loaded, dict):
        raise DataError(path, None, None, Fact(f"a {_KINDS[type(loaded)]}"), _EXPECTED)
    columns = _columns(path, loaded)
    first = next(iter(columns), "")
    for name, values in columns.items():
        if len(values) != len(columns[first]):
            found, expected = Fact(f"{len(values)} entries"), f"{len(columns[first])} as in {first}"
            raise DataError(path, None, name, found, expected)
    rows = range(1, len(columns.get(first, [])) + 1)
    texts = {name: _cells(path, name, values, rows) for name, values in columns.items()}
    return TextTable(path, texts, rows)


_KINDS = {str: "text", int: "number", float: "number", bool: "truth value", type(None): "null"}


def parse_json(path: Path, text: str, row: int | None = None) -> Any:
    """Parse JSON, or say in one line why that cannot be done."""
    try:
        loaded = json.loads(text, object_pairs_hook=_object)
        if _SURROGATE.search(text):
            json.dumps(loaded, ensure_ascii=False).encode()
    except _RepeatedKeyError as error:
        raise DataError(path, row, str(error), Fact("two values of this name"), "one") from None
    except json.JSONDecodeError as error:
        raise DataError(path, row, None, Fact(f"broken JSON ({error})"), _EXPECTED) from None
    except UnicodeEncodeError:
        found = Fact("half a character (a lone surrogate)")
        raise DataError(path, row, None, found, "text that can be written as UTF-8") from None
    except RecursionError:
        raise DataError(path, row, None, Fact("lists nested too deeply"), _EXPECTED) from None
    except ValueError:  # Python refuses to read integers of thousands of digits
        raise DataError(path, row, None, Fact("a number of thousands of digits"), _EXPECTED) from None
    return loaded


class _RepeatedKeyError(Exception):
    """An object has two values of one name, of which Python would keep the last without a word."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        raise _RepeatedKeyError(next(name for name in names if names.count(name) > 1))
    return made


def _text(path: Path) -> str:
    if not path.is_file():
        raise DataError(path, None, None, no_file(path), "a JSON file")
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        found = Fact(f"byte {error.start} that is not UTF-8")
        raise DataError(path, None, None, found, "UTF-8 text") from None


def _record(path: Path, row: int, record: object) -> Mapping[str, Any]:
    if not isinstance(record, dict):
        raise DataError(path, row, None, str(record), "a record, {column: value}")
    return record


def _columns(path: Path, loaded: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return the values of each column: lists, or as pandas writes by default, values by row label.

    Labels say which values belong together, in whatever order a column has them.
    """
    first = next((name for name, values in loaded.items() if isinstance(values, dict)), None)
    if first is not None:
        return {name: _by_label(path, name, values, loaded[first]) for name, values in loaded.items()}
    for name, values in loaded.items():
        if not isinstance(values, list):
            raise DataError(path, None, name, str(values), "a list of values")
    return dict(loaded)


def _by_label(path: Path, name: str, values: object, labels: Mapping[str, Any]) -> list[Any]:
    if not isinstance(values, dict):
        raise DataError(path, None, name, str(values), "values by row label, as other columns have them")
    if differing := sorted(values.keys() ^ labels.keys()):
        found = Fact(f"row labels that not all columns have: {', '.join(differing)}")
        raise DataError(path, None, name, found, "the same labels in every column")
    return [values[label] for label in labels]


def _table(path: Path, records: Sequence[Mapping[str, Any]], lines: Sequence[int]) -> TextTable:
    names = dict.fromkeys(name for record in records for name in record)
    columns = {name: _cells(path, name, [record.get(name) for record in records], lines) for name in names}
    return TextTable(path, columns, lines)


def _cells(path: Path, name: str, values: Sequence[Any], lines: Sequence[int]) -> list[str]:
    """Return values as a CSV file would hold them."""
    for line, value in zip(lines, values, strict=True):
        if isinstance(value, dict):
            raise DataError(path, line, name, str(value), "a value or a list of values")
    return [cell_text(value) for value in values]


def json_lines(columns: Mapping[str, Sequence[str]]) -> str:
    """Return a table of predictions as one JSON object a line; paths and durations are lists.

    >>> print(json_lines({"sentence_id": ["t1"], "predicted": ["0 1"]}), end="")
    {"sentence_id": "t1", "predicted": [0, 1]}
    """
    rows = zip(*columns.values(), strict=True)
    records = ({n: _value(n, cell) for n, cell in zip(columns, row, strict=True)} for row in rows)
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def _value(name: str, cell: str) -> object:
    if name in _NUMBERS:
        if not cell and name != "predicted":
            return None
        return [int(part) if part.isdigit() else float(part) for part in cell.strip("[]").split()]
    return int(cell) if name == "sample" else cell


def without_nulls(table: TextTable) -> TextTable:
    """Refuse a prediction that is null: it is not known whether that means an empty path.

    A column that holds nothing at all is left out.
    """
    cells = table.columns.get("predicted", [])
    if cells and not any(cells):
        others = {name: values for name, values in table.columns.items() if name != "predicted"}
        return replace(table, columns=others)
    if "" in cells:
        line, expected = table.line(cells.index("")), "a path such as [0, 1], [] if it is empty"
        raise DataError(table.path, line, "predicted", Fact("nothing"), expected)
    return table

"""Tables of public corpora, with their columns by meaning and the rows that are kept, as declared."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING

import numpy as np

from scandl.corpora.importers.column_meanings import parts_of
from scandl.corpora.importers.delimited import Delimited, read_delimited
from scandl.corpora.importers.fixation_report import (
    FixationReport,
    ReportColumn,
    distinct,
    plain_number,
    read_report,
)
from scandl.corpora.public.declaration import Keep, People
from scandl.errors import DataError, Fact
from scandl.files.tables import BINARY, read_table

if TYPE_CHECKING:
    pass

Named = Callable[[str], str]
"""A template such as ``L1-{reader}``, filled with what the path of a file says."""


def found_files(root: Path, pattern: str) -> list[Path]:
    """Return the files below a folder whose names, or last parts of the path, fit a pattern."""
    if not root.is_dir():
        raise DataError(root, None, None, Fact("no folder"), f"a folder with {pattern}")
    paths = sorted(path for path in root.rglob(pattern) if path.is_file())
    if not paths:
        raise DataError(root, None, None, Fact("no such file"), f"files called {pattern}")
    return paths


def read_declared(
    path: Path,
    columns: Mapping[str, str],
    *,
    needed: Sequence[str] = (),
    usual: bool = False,
    header: Sequence[str] = (),
    encoding: str = "",
    file_name: str = "",
    keep: Mapping[str, Keep] | None = None,
    dropped: Counter[str] | None = None,
) -> FixationReport:
    """Return the rows of one table that are kept, with its columns by meaning.

    Parameters
    ----------
    path
        The table.
    columns
        By meaning, as a declaration writes them: ``A+B``, ``A|B``, ``A|`` and templates.
    needed
        Meanings that are found by their usual names where they are not declared.
    usual
        Every declared column that is not there is found by its usual names too.
    header
        The columns of a table that does not name them.
    encoding
        Of the table; empty: it is found.
    file_name
        Expression that the path fits; its groups fill templates.
    keep
        Which rows are kept, by column.
    dropped
        What was left out is counted there.
    """
    names = header or _header(path, encoding)
    said = {meaning: _chosen(column, names) for meaning, column in columns.items() if "{" not in column}
    said = {meaning: column for meaning, column in said.items() if column}
    flags = {f"keep {name}": name for name in keep or {} if name in names or header or name in said.values()}
    if usual:
        said = {m: c for m, c in said.items() if all(part in names for part in parts_of(c, list(names)))}
    made = {meaning: column for meaning, column in columns.items() if "{" in column}
    wanted = [*said, *flags, *(meaning for meaning in needed if meaning not in {*said, *made})]
    if header:
        report = _without_header(path, header, said | flags, encoding)
    else:
        report = read_report(path, wanted, chosen=said | flags, encoding=encoding or None)
    for name in flags:
        report = _kept(report, name, (keep or {})[flags[name]], Counter() if dropped is None else dropped)
    return with_templates(report, made, file_name)


def _header(path: Path, encoding: str) -> list[str]:
    if path.suffix in BINARY:
        return list(read_table(path).columns)
    return Delimited.of(path, encoding or None)[0]


def _chosen(column: str, header: Sequence[str]) -> str:
    """Return the first of several declared columns that a table has; empty if none and none is needed.

    >>> _chosen("a|b+c", ["b", "c"]), _chosen("a|", ["b"]), _chosen("a", ["b"])
    ('b+c', '', 'a')
    """
    ways = column.split("|")
    there = [way for way in ways if way and all(part in header for part in parts_of(way, list(header)))]
    return there[0] if there else ways[0] if ways[-1] else ""


def _without_header(
    path: Path, header: Sequence[str], wanted: Mapping[str, str], encoding: str
) -> FixationReport:
    """Read a table whose columns the declaration names."""
    rows = [line.split("\t") for line in path.read_text(encoding=encoding or "utf-8").splitlines()]
    for n, row in enumerate(rows, start=1):
        if len(row) != len(header):
            raise DataError(path, n, None, Fact(f"{len(row)} fields"), f"{len(header)}")
    cells = dict(zip(header, zip(*rows, strict=True), strict=True))
    columns = {meaning: ReportColumn.of(name, cells[name]) for meaning, name in wanted.items()}
    return FixationReport(path, columns, line_of=lambda row: row + 1)


def _kept(report: FixationReport, meaning: str, rule: Keep, dropped: Counter[str]) -> FixationReport:
    """Return the rows that a rule keeps; a cell that is neither kept nor left out is an error."""
    column = report[meaning]
    keep = fits(column, rule.only)
    odd = np.flatnonzero(~keep & ~fits(column, rule.leave))
    if len(odd):
        expected = rule.expected or f"{rule.only} or {rule.leave}"
        raise report.error(int(odd[0]), meaning, report.cell(int(odd[0]), meaning), expected)
    dropped[rule.reason or f"rows with another {column.name}"] += int((~keep).sum())
    return report.only(keep)


def fits(column: ReportColumn, expression: str) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return which rows of a column fit an expression."""
    return np.array([bool(re.fullmatch(expression, text)) for text in column.texts], dtype=bool)[column.codes]


def with_templates(report: FixationReport, made: Mapping[str, str], file_name: str) -> FixationReport:
    """Return the report with the columns that are made of its path and of other columns."""
    if not made:
        return report
    named = re.search(file_name, report.path.as_posix())
    if named is None:
        raise DataError(report.path, None, None, Fact(f"the name {report.path.name!r}"), f"{file_name}")
    columns = dict(report.columns)
    for meaning, template in made.items():
        fields = [key for _, key, _, _ in Formatter().parse(template) if key]
        other = next((key for key in fields if key in report), "")
        base = report[other] if other else ReportColumn("the file's name", [""], np.zeros(len(report), int))
        texts = [template.format(**named.groupdict(), **{other: plain_number(text)}) for text in base.texts]
        columns[meaning] = ReportColumn(base.name, *distinct(texts, base.codes))
    return replace(report, columns=columns)


def read_people(people: People, root: Path) -> dict[str, dict[str, str]]:
    """Return what a table says of the readers that are taken, in its order, and their group."""
    path = found_files(root, people.files)[0]
    table = read_delimited(path)
    (ids,) = table.need(people.reader_id)
    decisive = table.need(people.by)[0] if people.by else [""] * len(ids)
    for i, key in enumerate(ids):
        if not key or key in ids[:i]:
            found = Fact(f"{key!r} a second time" if key else "nothing")
            raise DataError(path, table.line(i), people.reader_id, found, "each reader once, with an id")
    chosen = {
        key: {name: value for name, value in row.items() if name != people.reader_id}
        | ({"group": _group(people, cell)} if people.groups else {})
        for key, cell, row in zip(ids, decisive, table.rows(), strict=True)
        if re.fullmatch(people.only, cell)
    }
    if not chosen:
        known = ", ".join(sorted(set(decisive)))
        raise DataError(path, None, people.by, Fact(f"no reader with {people.only!r}"), f"one of: {known}")
    skipped = list(chosen)[people.skip - 1 : people.skip] if people.skip else []
    return {key: row for key, row in chosen.items() if key not in skipped}


def _group(people: People, cell: str) -> str:
    return next((group for said, group in people.groups.items() if re.fullmatch(said, cell)), "")

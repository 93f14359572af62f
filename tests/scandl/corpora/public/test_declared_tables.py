"""Columns, rows and readers as a declaration says them, and what is said of a table that differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from scandl.corpora.public.declaration import Keep, People
from scandl.corpora.public.declared_tables import found_files, read_declared, read_people
from scandl.errors import DataError

Write = Callable[..., Path]


def cells(path: Path, meaning: str, columns: dict[str, str], **more: object) -> list[str]:
    report = read_declared(path, columns, **more)  # type: ignore[arg-type]
    return [report.cell(row, meaning) for row in range(len(report))]


def test_the_first_of_several_columns_that_a_table_has(write: Write) -> None:
    path = write("f.tsv", "b c", [("1", "2")])
    assert cells(path, "x", {"x": "a|b+c"}) == ["1_2"]
    assert cells(path, "x", {"x": "b|a"}) == ["1"]
    assert "y" not in read_declared(path, {"x": "b", "y": "a|"})
    with pytest.raises(DataError, match=r"column 'a': found only the columns b, c"):
        read_declared(path, {"x": "a|d"})


def test_templates_are_filled_from_the_path_and_other_columns(write: Write) -> None:
    path = write("SR/sub-7.tsv", "n", [("1.0",), ("2",), ("1",)])
    columns = {"who": "L-{reader}", "text": "{task}-{n}", "n": "n"}
    named = {"file_name": r"(?P<task>[^/]+)/sub-(?P<reader>\d+)\.tsv$"}
    assert cells(path, "who", columns, **named) == ["L-7"] * 3
    assert cells(path, "text", columns, **named) == ["SR-1", "SR-2", "SR-1"]
    with pytest.raises(DataError, match=r"found the name 'sub-7\.tsv', expected x\(\?P<task>"):
        read_declared(path, columns, file_name="x(?P<task>.)(?P<reader>.)")


def test_rows_are_kept_left_out_or_refused(write: Write) -> None:
    path = write("f.tsv", "x practice", [("a", "no"), ("b", "yes"), ("c", "no")])
    keep = {"practice": Keep(only="no", leave="yes", reason="practice"), "absent": Keep(only="x")}
    dropped: Counter[str] = Counter()
    assert cells(path, "x", {"x": "x"}, keep=keep, dropped=dropped) == ["a", "c"]
    assert dropped == {"practice": 1}
    keep["practice"] = Keep(only="no", leave="never", expected="no or never")
    with pytest.raises(DataError, match=r"f\.tsv:3: column 'practice': found 'yes', expected no or never"):
        read_declared(path, {"x": "x"}, keep=keep)


def test_readers_are_taken_and_grouped_by_a_column(write: Write, tmp_path: Path) -> None:
    write("people.tsv", "who lang", [("1", "en"), ("2", "de"), ("3", "en")])
    people = People(files="people.tsv", reader_id="who", by="lang", groups={"en": "L1", ".*": "L2"})
    assert [row["group"] for row in read_people(people, tmp_path).values()] == ["L1", "L2", "L1"]
    some = People(files="people.tsv", reader_id="who", by="lang", only="en", skip=2)
    assert read_people(some, tmp_path) == {"1": {"lang": "en"}}


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"found no such file, expected files called \*\.tsv"):
        found_files(tmp_path, "*.tsv")
    with pytest.raises(DataError, match=r"found no folder, expected a folder with \*\.tsv"):
        found_files(tmp_path / "absent", "*.tsv")

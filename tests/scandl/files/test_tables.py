"""Tables: text in, text out, in both formats."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pandas as pd
import pytest

from scandl.errors import DataError, ScandlError
from scandl.extras import install_command
from scandl.files.tables import (
    Problems,
    check_ending,
    column_blocks,
    find_table,
    read_table,
    write_frame,
    write_table,
)

pa = pytest.importorskip("pyarrow", reason="scandl[parquet] is not installed")
from pyarrow import parquet  # noqa: E402


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_awkward_text_survives(tmp_path: Path, suffix: str) -> None:
    columns = {
        "id": ["007", "1e5", "NA", ""],
        "text": ['say "hi", he said', "two\nlines", " spaced ", "🦊 naïve"],
    }
    path = tmp_path / f"t{suffix}"
    write_table(path, columns)
    assert read_table(path).columns == columns


def test_parquet_numbers_read_like_csv(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    parquet.write_table(pa.table({"n": [1, None], "x": [2.0, 2.5], "path": [[0, 1], []]}), path)
    assert read_table(path).columns == {"n": ["1", ""], "x": ["2", "2.5"], "path": ["0 1", "[]"]}


def test_blank_lines_are_no_rows(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n\n3,4\n\n")
    assert read_table(path).columns == {"a": ["1", "3"], "b": ["2", "4"]}


def test_a_folder_is_not_taken_for_a_file(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="found a folder, expected a CSV or Parquet file"):
        read_table(tmp_path)


def test_an_open_quote_is_named_with_its_row(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('a,b\n1,"open\n')
    with pytest.raises(DataError, match=r"t.csv:2: found unexpected end of data, expected well-formed CSV"):
        read_table(path)


def test_something_else_with_the_suffix_parquet_is_named(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    path.write_text("a,b\n")
    with pytest.raises(DataError, match=r"t.parquet: found .*, expected a Parquet file"):
        read_table(path)


def test_without_pyarrow_parquet_is_refused_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.parquet"
    path.write_bytes(b"PAR1")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    expected = f"this needs pyarrow, which is not installed: {install_command('parquet')}"
    for ask in (check_ending, read_table, lambda path: write_table(path, {"a": ["1"]})):
        with pytest.raises(ScandlError) as caught:
            ask(path)
        assert str(caught.value) == expected
    assert path.read_bytes() == b"PAR1"


def test_two_truths_in_one_folder_are_refused(tmp_path: Path) -> None:
    for suffix in ("csv", "parquet"):
        (tmp_path / f"words.{suffix}").touch()
    with pytest.raises(DataError, match="found both words.csv and words.parquet, expected one of them"):
        find_table(tmp_path, "words")


@pytest.mark.parametrize("name", ["t.xlsx", "t.CSV", "t"])
def test_only_what_can_be_written_is(tmp_path: Path, name: str) -> None:
    path = tmp_path / "new" / name
    with pytest.raises(DataError) as caught:
        write_table(path, {"a": ["1"]})
    assert str(caught.value) == (
        f"{path}: found the ending '{path.suffix}', expected a name that ends in .csv or .parquet"
    )
    assert not list(tmp_path.iterdir())
    assert check_ending(path.with_suffix(".json"), ".json") == path.with_suffix(".json")


def test_a_failed_write_leaves_the_old_table(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    write_table(path, {"a": ["1"]})
    with pytest.raises(ValueError, match="shorter"):
        write_table(path, {"a": ["1", "2"], "b": ["1"]})
    assert path.read_text() == "a\n1\n"
    assert [p.name for p in tmp_path.iterdir()] == ["t.csv"]


BROKEN_LINES = 'a,b\n1,2\n\n3,"two\nlines"\n5,6\n'


def test_rows_are_named_by_the_line_they_begin_in(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(BROKEN_LINES)
    table = read_table(path)
    lines = BROKEN_LINES.splitlines()
    assert [table.line(i) for i in range(3)] == [2, 4, 6]
    assert [lines[table.line(i) - 1][0] for i in range(3)] == table.columns["a"]
    path.write_text(BROKEN_LINES + "7\n")
    with pytest.raises(DataError, match=r"t.csv:7: found 1 fields, expected 2 as in the header"):
        read_table(path)


def test_a_pipe_is_not_called_absent(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "t.csv")
    with pytest.raises(DataError, match="found a pipe or device, not a regular file, expected a CSV"):
        read_table(tmp_path / "t.csv")


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (pa.array([10**7], pa.date32()), "found a value that cannot be read"),
        (pa.array([10**17], pa.timestamp("ms")), "found a value that cannot be read"),
        (pa.array([b"\xff"], pa.binary()), "found a value that cannot be read"),
        (pa.array([b"\xff"], pa.binary()).view(pa.string()), "found a value that cannot be read"),
    ],
)
def test_a_parquet_value_that_is_no_value_is_one_line(tmp_path: Path, column: pa.Array, message: str) -> None:
    parquet.write_table(pa.table({"sentence_id": column}), tmp_path / "p.parquet")
    with pytest.raises(DataError, match=f"p.parquet: column 'sentence_id': {message}"):
        read_table(tmp_path / "p.parquet")


def test_a_damaged_parquet_file_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "p.parquet"
    parquet.write_table(pa.table({"a": list(range(1000))}), path)
    whole = path.read_bytes()
    for content in (whole[:100], whole[:200] + b"\xff" * 300 + whole[500:], b"PAR1", b""):
        path.write_bytes(content)
        with pytest.raises(DataError, match=r"p.parquet: .*expected"):
            read_table(path)


def test_problems_are_collected_or_the_first_is_raised() -> None:
    first, second = (DataError("p.csv", row, "x", "", "something") for row in (1, 2))
    every = Problems()
    every.add(first)
    every.add(second)
    assert every.errors == [first, second]
    with pytest.raises(DataError) as caught:
        Problems(stop_at_first=True).add(first)
    assert caught.value is first


def test_missing_cells_are_empty_and_whole_numbers_whole(tmp_path: Path) -> None:
    frame = pd.DataFrame({"count": [1.0, None], "share": [0.5, 1.0], "word": ["a", "b"]})
    write_frame(tmp_path / "t.csv", frame)
    assert (tmp_path / "t.csv").read_text() == "count,share,word\n1,0.5,a\n,1.0,b\n"


def test_a_long_table_is_written_as_a_short_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What holds for a column holds for all of its blocks; categories and texts are the same cells."""
    names = ["a", "b\r", None, "a"]
    frame = pd.DataFrame({"share": [1.0, 2.0, None, 0.5], "count": [1.0, None, 2.0, 3.0], "word": names})
    write_frame(tmp_path / "short.csv", frame)
    monkeypatch.setattr("scandl.files.tables._BLOCK", 2)
    write_frame(tmp_path / "long.csv", frame.astype({"word": "category"}))
    expected = '"share","count","word"\n"1.0","1","a"\n"2.0","","b\r"\n"","2",""\n"0.5","3","a"\n'
    assert (tmp_path / "short.csv").read_bytes() == (tmp_path / "long.csv").read_bytes() == expected.encode()


def test_a_wide_table_goes_on_below_and_intervals_stay_with_their_estimates() -> None:
    header = ["model", "setting", "NLD", "95 %", "energy", "95 %", "n"]
    blocks = column_blocks(header, [10, 8, 8, 20, 8, 20, 30], gap=3, keys=2, limit=70)
    assert blocks == [[0, 1, 2, 3], [0, 1, 4, 5], [0, 1, 6]]
    assert column_blocks(header, [1] * 7, gap=3) == [[0, 1, 2, 3, 4, 5, 6]]
    assert column_blocks(["a", "b"], [10, 200], gap=3) == [[0, 1]]  # nothing to part

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scandl.corpora.importers import delimited
from scandl.corpora.importers.fixation_report import read_report, whole_number
from scandl.errors import DataError

Write = Callable[..., Path]


@pytest.fixture(scope="module", params=["arrow", "python"], autouse=True)
def reader(request: pytest.FixtureRequest) -> Iterator[None]:
    """Run every test with either reader: they give the same texts and find the same faults."""
    if request.param == "arrow":
        pytest.importorskip("pyarrow", reason="scandl[parquet] is not installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited, "is_installed", lambda *modules: request.param == "arrow")
        yield


def column(path: Path, meaning: str = "word", **options: object) -> list[str]:
    report = read_report(path, (meaning,), **options)  # type: ignore[arg-type]
    return [report.cell(row, meaning) for row in range(len(report))]


def test_byte_order_mark_windows_lines_and_parquet(tmp_path: Path) -> None:
    path = tmp_path / "f.csv"
    path.write_bytes("\ufeffSubject,IA_LABEL\r\n01,ä\r\n".encode())
    assert column(path, "reader_id") == ["01"]
    pa = pytest.importorskip("pyarrow", reason="scandl[parquet] is not installed")
    from pyarrow import parquet

    parquet.write_table(pa.table({"Subject": ["01"], "word_id": [3.0]}), tmp_path / "f.parquet")
    assert column(tmp_path / "f.parquet", "word_index") == ["3"]


def test_two_candidates_are_refused_unless_one_is_named(write: Write) -> None:
    path = write("f.tsv", "Subject participant IA_ID", [("a", "b", 1)])
    with pytest.raises(DataError) as caught:
        column(path, "reader_id")
    assert str(caught.value) == (
        f"{path}:1: column 'reader_id': found two candidates, Subject and participant, "
        "expected one (call it 'reader_id', or --column reader_id=Subject)"
    )
    assert column(path, "reader_id", chosen={"reader_id": "participant"}) == ["b"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f.tsv:1: found an empty file, expected a header line with column names"),
        ("x\ty\n", "f.tsv:1: column 'word': found only the columns x, y, expected a column for it"),
        ("word\tword\na\tb\n", "f.tsv:1: column 'word': found two columns of this name, expected one"),
        ("n\tword\n1\ta\n2\tb\tc\n", "f.tsv:3: found 3 fields, expected 2 as in the header"),
        ("n\tword\n1\n", "f.tsv:2: found 1 fields, expected 2 as in the header"),
    ],
)
def test_broken_files(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "f.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        column(path)
    assert message in str(caught.value)


def test_numbers_name_the_first_bad_row_of_the_file(write: Write) -> None:
    rows = [("r", 1), ("r", "."), ("r", "2.0"), ("s", "-1"), ("s", "2.5"), ("s", "x")]
    report = read_report(write("f.tsv", "Subject IA_ID", rows), ("reader_id", "word_index"))
    with pytest.raises(DataError, match=r"f\.tsv:6: column 'IA_ID': found '2\.5', expected whole"):
        report.numbers("word_index", whole_number, "whole")
    later = report.only(report["reader_id"].codes == 1)
    with pytest.raises(DataError, match=r"f\.tsv:6:"):
        later.numbers("word_index", whole_number, "whole")
    first = report.only(report["reader_id"].codes == 0).numbers("word_index", whole_number, "whole")
    assert [str(value) for value in first.tolist()] == ["1.0", "nan", "2.0"]


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="found no file, expected a fixation or interest-area report"):
        column(tmp_path / "absent.tsv")


def test_a_header_without_rows_is_said(write: Write) -> None:
    with pytest.raises(DataError, match=r"f\.tsv: found a header and no rows, expected at least one row"):
        read_report(write("f.tsv", "Subject IA_ID", []), ("reader_id",))


def test_a_column_is_asked_for_only_where_it_can_be_named(write: Write) -> None:
    path = write("f.tsv", "Subject IA_ID", [("r", 1)])
    with pytest.raises(
        DataError, match="found only the columns Subject, IA_ID, expected --column word=NAME$"
    ):
        column(path, chosen={})
    with pytest.raises(DataError, match="expected a column for it$"):
        column(path)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Subject,IA_ID\n\nr,1\n\n\nr,x\n", 6),
        ('Subject,IA_ID\n"two\nlines",1\nr,x\n', 4),
        ('Subject\tIA_ID\n"Oh\t1\n\n"Oh\tx\n', 4),  # marks that belong to the words
        ("Subject,IA_ID\r\n\r\nr,1\r\nr,x\r\n", 4),
        ("Subject,IA_ID\n\nr,1\nr\n", 4),  # a field is missing
    ],
)
def test_errors_name_the_line_of_the_file(tmp_path: Path, text: str, line: int) -> None:
    path = tmp_path / "f.txt"
    path.write_bytes(text.encode())
    with pytest.raises(DataError, match=rf"f\.txt:{line}: "):
        read_report(path, ("reader_id", "word_index")).numbers("word_index", whole_number, "a number")

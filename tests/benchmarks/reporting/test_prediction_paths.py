"""Tables read fast for a report, and what is said of broken ones."""

from __future__ import annotations

import pytest

from scandl.errors import DataError
from scandl.files.tables import read_table
from scandl_eval.reporting.prediction_paths import read_columns


def test_fast_reader_reads_what_the_careful_one_reads(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text('a,b,c\nNA,"x, ""y""",1\n,nan,02\n"null\nline",é👁,\n', encoding="utf-8")
    assert read_columns(path, ("a", "b", "c")) == read_table(path).columns
    assert read_columns(path, ("c",), optional=("z", "a")) == {
        name: read_table(path).columns[name] for name in "ac"
    }


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,b\n1,2\n", "column 'c': found only the columns a, b"),
        ("a,c\n1,2\n1,2,3\n", "p.csv:3: found 3 fields, expected 2 as in the header"),
        ("a,c\n1,2\n1\n", "p.csv:3: found 1 fields, expected 2 as in the header"),
        ("", "found an empty file"),
    ],
)
def test_a_broken_table_is_named_by_the_careful_reader(tmp_path, content, message):
    (tmp_path / "p.csv").write_text(content)
    with pytest.raises(DataError, match=message):
        read_columns(tmp_path / "p.csv", ("c",))

from __future__ import annotations

import pytest

from scandl.errors import DataError
from scandl_reports.storage import load_report, save_report


@pytest.mark.parametrize("name", ["report", "hostile"])
def test_comes_back_as_it_was(name, request, tmp_path):
    report = request.getfixturevalue(name)
    save_report(report, tmp_path / "report.json")
    assert load_report(tmp_path / "report.json") == report


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("", "JSONDecodeError"),
        ("{}", "KeyError: 'schema'"),
        ('{"schema": 1}', "ValueError: schema 1, this version reads 2"),
        ('{"schema": 2, "title": "t"}', "KeyError: 'subtitle'"),
        ("[]", "TypeError"),
    ],
)
def test_another_file_is_named(content, found, tmp_path):
    path = tmp_path / "report.json"
    path.write_text(content)
    with pytest.raises(DataError) as error:
        load_report(path)
    assert str(error.value).startswith(f"{path}: found {found}")
    assert str(error.value).endswith("expected a saved report")


def test_no_file_is_said(tmp_path):
    with pytest.raises(DataError, match="found no file, expected a saved report"):
        load_report(tmp_path / "report.json")

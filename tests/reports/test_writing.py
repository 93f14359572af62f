from __future__ import annotations

import pytest

from scandl.errors import ScandlError
from scandl_reports.plain import to_plain
from scandl_reports.writing import check_form, write_report


def test_the_ending_chooses_the_form(report, tmp_path):
    write_report(report, tmp_path / "a.html", tmp_path / "b" / "c.PDF", tmp_path / "d.txt")
    assert (tmp_path / "a.html").read_text().startswith("<!DOCTYPE html>")
    assert (tmp_path / "b" / "c.PDF").read_bytes().startswith(b"%PDF-")
    assert (tmp_path / "d.txt").read_text() == to_plain(report)


def test_an_unknown_ending_writes_nothing(report, tmp_path):
    with pytest.raises(ScandlError, match=r"b\.docx: a report is written as \.html, \.pdf, \.txt"):
        write_report(report, tmp_path / "a.html", tmp_path / "b.docx")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ScandlError, match="by the file's ending"):
        check_form("report")

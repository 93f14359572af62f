from __future__ import annotations

import sys

import pytest

from scandl.errors import ScandlError
from scandl.extras import install_command
from scandl_reports.plain import to_plain
from scandl_reports.writing import (
    check_form,
    usual_reports,
    without_pdf,
    write_report,
)


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


def test_without_typst_a_pdf_is_refused_before_the_work(monkeypatch, tmp_path, report):
    monkeypatch.setitem(sys.modules, "typst", None)
    expected = f"this needs typst, which is not installed: {install_command('pdf')}"
    for ask in (lambda path: check_form(path), lambda path: write_report(report, tmp_path / "a.html", path)):
        with pytest.raises(ScandlError) as caught:
            ask(tmp_path / "r.PDF")
        assert str(caught.value) == expected
    assert list(tmp_path.iterdir()) == []


def test_a_folder_gets_a_pdf_where_one_can_be_made(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "typst", None)
    assert usual_reports(tmp_path) == [tmp_path / "report.html"]
    assert without_pdf() == f"no report.pdf: typst is not installed ({install_command('pdf')})"
    monkeypatch.undo()
    pytest.importorskip("typst", reason="scandl[pdf] is not installed")
    assert usual_reports(tmp_path) == [tmp_path / "report.html", tmp_path / "report.pdf"]
    assert without_pdf() == ""

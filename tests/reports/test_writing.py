from __future__ import annotations

import re
import shutil
import subprocess
import sys
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from scandl.errors import ScandlError
from scandl.extras import install_command
from scandl_reports.plain import to_plain
from scandl_reports.writing import (
    check_form,
    to_latex,
    usual_reports,
    without_pdf,
    write_figures,
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


def test_every_table_is_a_float_and_its_numbers_are_those_shown(report):
    text = to_latex(report)
    tables = [block for section in report.sections for block in section.everything if hasattr(block, "rows")]
    floats = re.findall(r"\\begin\{table\}(.*?)\\end\{table\}", text, flags=re.DOTALL)
    assert len(floats) == len(tables) == 2
    for table, found in zip(tables, floats, strict=True):
        assert r"\begin{tabular}{lrrlr}" in found
        body = found.split(r"\midrule")[1].split(r"\bottomrule")[0]
        rows = [line.removesuffix(r" \\").split(" & ") for line in body.strip().splitlines()]
        back = [[cell.replace("$-$", "−").replace("--", "–") for cell in row] for row in rows]
        assert back == [list(row) for row in table.shown]
    labels = re.findall(r"\\label\{(.*?)\}", text)
    assert labels == ["tab:table-1-scores", "tab:table-2-scores"]


def test_hostile_texts_stay_texts(hostile):
    text = to_latex(hostile)
    assert r"\#eval" in text
    assert r"\$x\textasciicircum{}2\$" in text
    assert not re.search(r"(?<!\\)[#$](?!-)", text.split("\n", 1)[1].replace("$-$", "").replace(r"\$", ""))


@pytest.mark.slow
def test_the_tables_compile(report, tmp_path):
    compiler = next((name for name in ("tectonic", "pdflatex") if shutil.which(name)), None)
    if compiler is None:
        pytest.skip("neither tectonic nor pdflatex is installed")
    page = (
        "\\documentclass{article}\\usepackage{booktabs}\\begin{document}\n"
        + to_latex(report)
        + "\\end{document}\n"
    )
    (tmp_path / "page.tex").write_text(page, encoding="utf-8")
    flags = [] if compiler == "tectonic" else ["-interaction=nonstopmode", "-halt-on-error"]
    done = subprocess.run([compiler, *flags, "page.tex"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "page.pdf").stat().st_size > 1000


def test_each_figure_is_svg_and_pdf_of_one_width(report, tmp_path):
    pytest.importorskip("typst")
    figure = report.sections[0].blocks[2]
    files = write_figures(replace(report, picture=figure), tmp_path / "figures")
    assert [path.name for path in files] == [
        "figure-01-scores-drawn.svg",
        "figure-01-scores-drawn.pdf",
        "figure-02-scores-drawn.svg",
        "figure-02-scores-drawn.pdf",
    ]
    assert ElementTree.parse(files[0]).getroot().get("width") == "16cm"
    box = re.search(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]", files[1].read_bytes())
    assert float(box[1]) == pytest.approx(16 / 2.54 * 72, abs=0.1)
    assert float(box[2]) == pytest.approx(float(box[1]) / 2, rel=0.01)  # a drawing of 20 by 10


def test_same_figures_same_bytes(report, tmp_path):
    one, two = (write_figures(report, tmp_path / name) for name in ("one", "two"))
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]

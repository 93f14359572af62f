from __future__ import annotations

import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from scandl.errors import ScandlError
from scandl.extras import install_command
from scandl_reports.document import Column, Report, Section, Table, shown
from scandl_reports.plain import to_plain
from scandl_reports.writing import (
    breakable,
    check_form,
    to_latex,
    to_pdf,
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


def text_of(pdf: bytes, tmp_path: Path) -> str:
    """The text a reader can select, by another program."""
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext (poppler-utils) is not installed")
    (tmp_path / "r.pdf").write_bytes(pdf)
    done = subprocess.run(
        ["pdftotext", "-layout", tmp_path / "r.pdf", "-"], capture_output=True, text=True, check=True
    )
    return done.stdout


def test_text_holds_every_cell_and_word(report, tmp_path):
    text = text_of(to_pdf(report), tmp_path)
    words = " ".join(text.split())
    for block in report.sections[0].blocks[1].rows:
        assert " ".join(shown(cell) for cell in block) in words
    for said in (
        "Verdict",
        "markov leads.",
        "Table 1. Scores",
        "Figure 1. Scores drawn",
        "Dots are means.",
        "Missing",
        "1 sentences with 3 scanpaths can be played",
        "Edit distance over the longer length.",
        "scandl-eval run",
    ):
        assert said in words


def test_same_report_same_bytes_and_no_date(report):
    assert to_pdf(report) == to_pdf(report)
    assert b"CreationDate (D:20" not in to_pdf(report)


@pytest.mark.parametrize(("paper", "size"), [("a4", (595, 842)), ("letter", (612, 792))])
def test_paper_has_its_size(report, paper, size):
    box = re.search(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]", to_pdf(report, paper=paper))
    assert box is not None
    assert tuple(round(float(side)) for side in box.groups()) == size


def test_unknown_paper_is_named(report):
    with pytest.raises(ScandlError, match="no paper 'a5'; known: a4, letter"):
        to_pdf(report, paper="a5")


def test_hostile_texts_stay_texts_pdf(hostile, tmp_path):
    words = re.sub(r"\s+", " ", text_of(to_pdf(hostile), tmp_path).replace("\u200b", ""))
    for said in ("<script>alert(1)</script>", '#eval("1") $x^2$ *bold* _it_ @ref <label>', "{{ 7 * 7 }}"):
        assert said in words


def test_header_is_repeated_on_each_page(tmp_path):
    rows = tuple((f"row{k}", k / 7) for k in range(120))
    table = Table("Long", (Column("which row"), Column("value in it")), rows)
    pages = text_of(to_pdf(Report("r", "", (), (Section("s", (table,)),))), tmp_path).strip("\f").split("\f")
    assert len(pages) >= 3
    assert all("value in it" in page for page in pages)
    assert [f"{n}/{len(pages)}" in page.replace(" ", "") for n, page in enumerate(pages, start=1)] == [
        True
    ] * len(pages)


def test_long_words_get_places_to_break():
    assert breakable("a" * 31) == "a" * 31
    broken = breakable("b" * 400)
    assert broken.replace("\u200b", "") == "b" * 400
    assert max(map(len, broken.split("\u200b"))) <= 32


def test_a_swatch_stands_beside_its_name_and_rows_stay_low(tmp_path):
    """The effects table: many columns, one of them long, names as long as ours get."""
    names = ("train-label-dist", "simplified-swift", "human")
    texts = (
        "sr",
        "word_length",
        "[−0.152, −0.067]",
        "not estimable: " + "sr is 0 in all words, " * 4,
        "−0.95 [−0.97, −0.93]",
    )
    columns = tuple(
        map(Column, ("model", "measure", "predictor", "effect", "95 %", "R-hat", "rows", "note", "published"))
    )
    rows = tuple(
        (
            name,
            *texts[:2],
            -0.11,
            texts[2],
            1.0,
            25673,
            texts[3] if name == "human" else "quick look",
            texts[4],
        )
        for name in names
    )
    tops = []
    for colours in ({}, dict.fromkeys(names, "#00936b")):
        table = Table("t", columns, rows, "", colours)
        found = word_tops(to_pdf(Report("r", "", (), (Section("s", (table,)),))), tmp_path)
        tops.append([found[name] for name in ("model", *names[:2])])
    plain, with_swatch = tops
    assert with_swatch == pytest.approx(plain, abs=0.5)
    assert plain[2] - plain[1] < 1.9 * 7.6  # one line and its padding


def word_tops(pdf: bytes, tmp_path: Path) -> dict[str, float]:
    """Return how far below the edge of the paper each word begins, in points; of two, the last."""
    text_of(pdf, tmp_path)
    done = subprocess.run(
        ["pdftotext", "-bbox", tmp_path / "r.pdf", "-"], capture_output=True, text=True, check=True
    )
    return {word: float(top) for top, word in re.findall(r'yMin="([\d.]+)"[^>]*>([^<]*)</word>', done.stdout)}

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from scandl.errors import ScandlError
from scandl_reports.document import Column, Report, Section, Table, shown
from scandl_reports.pdf import breakable, to_pdf


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


def test_hostile_texts_stay_texts(hostile, tmp_path):
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

"""Tables for a paper."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from scandl_reports.latex import to_latex


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

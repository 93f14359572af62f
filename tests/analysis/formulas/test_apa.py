"""Text for a paper: numbers are those of the tables, LaTeX compiles."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from scandl_analysis.formulas.apa import human_name, latex, markdown, methods, sentences, write_paper
from scandl_analysis.formulas.regression import Regression, fit

FORMULA = "FPRT ~ a * b + (1 + a || reader) + (1 | item)"


@pytest.fixture
def found(design: Callable[..., pd.DataFrame]) -> Regression:
    pytest.importorskip("arviz", reason="scandl[analysis] is not installed")
    return fit(FORMULA, design(n_words=4), contrast="sdif", draws=100, chains=2)


def numbers(text: str) -> list[float]:
    return [float(each.replace("−", "-")) for each in re.findall(r"[−-]?\d*\.\d+", text)]


def test_every_number_of_the_table_is_in_the_csv(found: Regression, tmp_path: Path) -> None:
    table = pd.read_csv(found.write(tmp_path) / "summary.csv", index_col="parameter")
    lines = markdown(found).splitlines()[2 : 2 + len(table)]
    for line, (name, row) in zip(lines, table.iterrows(), strict=True):
        assert line.startswith(f"| {human_name(str(name))} |")
        own = [round(row[column], 3) for column in ("mean", "sd", "ci_low", "ci_high")]
        assert numbers(line.split("|", 2)[2])[:4] == pytest.approx(own, abs=1e-9), name
    assert "| .9" in lines[3] or "> .999" in lines[3]  # no zero before the point of a probability
    assert numbers(latex(found).split("\\bottomrule")[0].replace("$-$", "-"))[:4] == numbers(lines[0])[:4]


def test_sentences_name_what_is_known_and_the_means_in_ms(found: Regression) -> None:
    said = sentences(found)
    assert len(said) == 3 + 4 + 3
    effect = next(line for line in said if line.startswith("a: mismatch − match × b: near − far: "))
    assert "gaze duration decreased, b = −0." in effect
    assert "P(direction) > .999" in effect
    means = found.means()
    assert means is not None
    row = means.contrasts().iloc[2]
    assert said[-1].startswith(
        f"a × b: (mismatch − match) at near − at far: −{abs(row['mean']):.1f} ms, 95% CrI [−"
    )


def test_methods_say_what_was_done(found: Regression) -> None:
    text = methods(found)
    for part in (
        "We analysed gaze duration with a Bayesian log-normal mixed model (FPRT ~ 1 + a + b + a:b",
        "of 1,280 observations (16 levels of item, 20 levels of reader)",
        "sd(reader): HalfStudentT(nu=3, sigma=2.5)",
        "engine hmc",
        "2 chains of 100 draws, largest R-hat",
        "Contrasts: a: sdif; b: sdif.",
    ):
        assert part in text


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="LaTeX is not installed")
def test_the_latex_compiles(found: Regression, tmp_path: Path) -> None:
    write_paper(found, tmp_path)
    head = (
        "\\documentclass{article}\\usepackage[utf8]{inputenc}\\usepackage{booktabs,amsmath}\\begin{document}"
    )
    (tmp_path / "t.tex").write_text(f"{head}\n\\input{{apa.tex}}\n\\end{{document}}\n", encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-2000:]

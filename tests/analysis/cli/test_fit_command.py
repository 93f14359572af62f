"""``scandl-analysis fit`` as a user calls it."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from scandl_analysis.cli import main

QUICK = ["--corpus", "demo", "--surprisal", "unigram", "--engine", "laplace", "--draws", "50"]


def test_prints_the_effects_and_writes_the_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arviz = pytest.importorskip("arviz", reason="scandl[analysis] is not installed")
    formula = "tfc ~ scale(word_length) + scale(frequency) + (1 | reader)"
    assert main(["fit", formula, *QUICK, "--out", str(tmp_path / "fit")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "tfc ~ 1 + scale(word_length) + scale(frequency) + (1 | reader)"
    assert "first and last words of sentences are left out" in lines
    assert any(line.startswith("poisson, ") for line in lines)
    assert lines[-1] == f"written to {tmp_path / 'fit'}"
    table = pd.read_csv(tmp_path / "fit" / "summary.csv").set_index("parameter")
    assert table.loc["scale(frequency)", "ci_high"] < 0  # simulated readers fixate frequent words less
    assert "1|reader" in arviz.from_netcdf(str(tmp_path / "fit" / "draws.nc")).posterior
    assert (tmp_path / "fit" / "forest.png").stat().st_size > 0
    assert "scale(frequency) below" in (tmp_path / "fit" / "report.html").read_text(encoding="utf-8")


def test_for_a_paper(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The table for LaTeX alone, with the numbers of summary.csv, and the figures in a folder."""
    pytest.importorskip("arviz", reason="scandl[analysis] is not installed")
    figures, out = tmp_path / "figures", tmp_path / "fit"
    call = ["fit", "tfc ~ scale(frequency) + (1 | reader)", *QUICK, "--latex"]
    assert main([*call, "--figures", str(figures), "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("% Tables of ")
    mean = pd.read_csv(out / "summary.csv").set_index("parameter").loc["scale(frequency)", "mean"]
    assert f"scale(frequency) & $-${abs(mean):.3f} & " in printed
    assert list(figures.glob("*.svg"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tfc ~ word_lenght", *QUICK], "the table has no column 'word_lenght'; did you mean 'word_length'?"),
        (["tfc = word_length", *QUICK], "expected 'outcome ~ predictors'"),
        (["tfc ~ word_length + (1 | source)", *QUICK], "source has 'human' only"),
        (["tfc ~ word_length", "--corpus", "nowhere"], "nowhere"),
    ],
)
def test_faults_are_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fit", *arguments, "--quiet"]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1

"""What an analysis is of: flags that do not go together."""

from __future__ import annotations

from pathlib import Path

import pytest

from scandl_analysis.cli import main


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--run", "nowhere"], "nowhere: found 'no run.toml', expected the folder of a benchmark run"),
        (["--pred", "p.csv"], "--pred and --corpus go together: the files, and the readers they stand for"),
        (["--corpus", "demo"], "--pred and --corpus go together: the files, and the readers they stand for"),
        (["--pred", "p.csv", "--corpus", "demo"], "p.csv: found no file, expected a CSV or Parquet file"),
        (["--pred", "p.csv", "--corpus", "demo", "--run", "r"], "--run and --pred exclude each other"),
        (["--pred", "p.csv", "--corpus", "dmeo"], "no corpus 'dmeo'; did you mean 'demo'?"),
        (["--report", "page.doc"], "page.doc: a report is written as .html, .pdf, .txt, .tex"),
    ],
)
@pytest.mark.parametrize("command", ["variability", "correlations"])
def test_faults_are_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([command, *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []

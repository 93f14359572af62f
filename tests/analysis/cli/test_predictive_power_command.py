from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from scandl_analysis.cli import main


def test_writes_and_prints_the_gains(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "power"
    call = ["predictive-power", "--corpus", "demo", "--providers", "trigram,unigram", "--measures", "tfc"]
    assert main([*call, "--form", "linear", "--folds", "4", "--out", str(out)]) == 0
    text = capsys.readouterr().out
    gains = pd.read_csv(out / "gains.csv")
    first = gains.iloc[0]
    assert gains["predictor"].tolist() == ["trigram", "unigram"]
    row = next(line for line in text.splitlines() if line.startswith("human") and "trigram" in line)
    assert f"trigram {first['gain']:.5f} [{first['ci_low']:.5f}, {first['ci_high']:.5f}]" in " ".join(
        row.split()
    )
    assert "trigram − unigram" in text
    assert len(pd.read_csv(out / "differences.csv")) == 1
    made = json.loads((out / "gains.csv.json").read_text())
    assert made["settings"]["predictive power"]["folds"] == "4"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--predictor", "cloze", "--providers", "trigram"], "--providers are sources of surprisal"),
        (["--measures", "gaze"], "no measure 'gaze' to regress"),
        (["--providers", "unigram", "--words", "missing.csv"], "missing.csv"),
    ],
)
def test_one_line_for_what_is_wrong(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["predictive-power", "--corpus", "demo", *arguments]) == 2
    error = capsys.readouterr().err.strip()
    assert said in error
    assert len([line for line in error.splitlines() if line.startswith("scandl-analysis:")]) == 1


def test_a_file_in_the_place_of_the_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("x")
    assert main(["predictive-power", "--corpus", "demo", "--out", str(tmp_path / "file")]) == 2
    assert "expected a folder" in capsys.readouterr().err

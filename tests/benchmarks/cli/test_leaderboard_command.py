"""``scandl-eval leaderboard``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scandl_eval.cli import main

FEW = ["--settings", "ns", "--folds", "0,1", "--resamples", "50", "--quiet"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "runs" / "small"


def test_run_and_leaderboard(folder, capsys):
    assert main(["run", "--models", "left-to-right,train-label-dist", "--out", str(folder), *FEW]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("New Sentence (ns), ranked by energy\nmodel")
    assert "left-to-right, which fixates each word once and learned nothing, has an NLD of" in printed

    assert main(["leaderboard", str(folder)]) == 0
    assert capsys.readouterr().out == printed
    assert main(["leaderboard", str(folder), "--sort", "nld"]) == 0
    assert printed.splitlines()[2].startswith("train-label-dist")
    assert capsys.readouterr().out.splitlines()[2].startswith("left-to-right")
    assert main(["leaderboard", str(folder), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert {row["metric"] for row in rows if row["kind"] == "model"} >= {
        "nld",
        "nld-scandl",
        "energy",
        "classifier-auc",
    }
    assert main(["leaderboard", str(folder), "--csv"]) == 0
    assert capsys.readouterr().out == (folder / "leaderboard.csv").read_text()
    assert main(["leaderboard", str(folder), "--markdown"]) == 0
    assert capsys.readouterr().out.startswith("**New Sentence (ns), ranked by energy**")


def test_leaderboard_of_nothing_is_one_line(tmp_path, capsys):
    assert main(["leaderboard", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1

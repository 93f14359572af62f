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
    assert printed.startswith("New Sentence (ns), ranked by NLD\nmodel")
    assert "left-to-right, which fixates each word once and learned nothing, wins NLD" in printed

    assert main(["leaderboard", str(folder)]) == 0
    assert capsys.readouterr().out == printed
    assert main(["leaderboard", str(folder), "--sort", "energy"]) == 0
    second = capsys.readouterr().out.splitlines()[2]
    assert second.startswith("train-label-dist")
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
    assert capsys.readouterr().out.startswith("**New Sentence (ns), ranked by NLD**")


def test_config_file_and_flags_that_change_it(folder, tmp_path):
    (tmp_path / "mine.toml").write_text(
        'models = ["markov"]\nsettings = ["ns"]\nfolds = [0]\nresamples = 20\nseed = 5\n'
    )
    assert (
        main(
            ["run", "--config", str(tmp_path / "mine.toml"), "--folds", "1", "--out", str(folder), "--quiet"]
        )
        == 0
    )
    written = (folder / "run.toml").read_text()
    assert 'models = ["markov"]' in written
    assert "folds = [1]" in written
    assert "seed = 5" in written
    assert (
        main(["run", "--config", str(folder / "run.toml"), "--out", str(tmp_path / "again"), "--quiet"]) == 0
    )
    assert (tmp_path / "again" / "run.toml").read_text() == written


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        (["--models", "markvo"], "scandl-eval: no generator 'markvo'; did you mean 'markov'?"),
        (["--settings", "nsr"], "scandl-eval: no setting 'nsr'; did you mean"),
        (["--folds", "x"], "expected fold numbers such as 0,1, found 'x'"),
        (["--folds", "9"], "scandl-eval: no fold 9; known: 0 to 4"),
        (["--corpus", "demmo"], "demmo"),
        (["--samples", "0"], "scandl-eval: setting 'samples': found 0"),
        (["--config", "absent.toml"], "absent.toml"),
    ],
)
def test_bad_calls_are_one_line_and_leave_nothing(wrong, text, folder, capsys):
    try:
        code = main(["run", "--out", str(folder), *wrong])
    except SystemExit as stop:
        code = stop.code
    error = capsys.readouterr().err
    assert code == 2
    assert text in error
    assert error.count("\n") == 1
    assert not folder.exists()


def test_leaderboard_of_nothing_is_one_line(tmp_path, capsys):
    assert main(["leaderboard", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1

from __future__ import annotations

from pathlib import Path

import pytest

from scandl.errors import ScandlError
from scandl_eval.cli import main


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "runs" / "small"


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
        (["--models", "markvo"], "scandl-eval: no model 'markvo'; did you mean 'markov'?"),
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


def test_predictions_given_twice_are_told_as_by_score(folder, tmp_path, capsys):
    (tmp_path / "ext.csv").write_text(
        "model,setting,fold,reader_id,sentence_id,predicted,human\next,ns,0,r01,s09,0 1,0 2\n"
    )
    errors = []
    for call in (
        ["score", "--pred", "ext.csv", "ext.csv"],
        ["run", "--out", str(folder), "--pred", "ext.csv", "--pred", "ext.csv"],
    ):
        assert main(call) == 2
        errors.append(capsys.readouterr().err)
    assert (
        errors[0]
        == errors[1]
        == (
            "scandl-eval: ext.csv: column 'model': found sentence 's09' of reader 'r01', sample 0, that ext.csv "
            "has too, expected each once, or another model name\n"
        )
    )
    assert not folder.exists()


@pytest.mark.parametrize("name", ["Human", "human", " HUMAN "])
@pytest.mark.parametrize("command", ["nld", "score", "compare", "run"])
def test_no_model_takes_the_name_of_the_readers(folder, tmp_path, capsys, command, name):
    head = "model,setting,fold,reader_id,sentence_id,predicted,human\n"
    (tmp_path / "a.csv").write_text(f"{head}a,ns,0,r01,s09,0 1,0 2\n{name},ns,0,r01,s09,0 1,0 2\n")
    given = ["a", name] if command == "compare" else ["--out", str(folder)] if command == "run" else []
    assert main([command, *given, "--pred", "a.csv"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == (
        f"scandl-eval: a.csv:3: column 'model': found {name!r}, expected another name, this one is reserved for "
        "the readers themselves\n"
    )
    assert not folder.exists()


def test_the_board_is_printed_even_if_its_page_fails(folder, capsys, monkeypatch):
    def fails(*_):
        raise ScandlError("the page cannot be made")

    monkeypatch.setattr("scandl_eval.reporting.run_report.write_run_report", fails)
    few = ["--settings", "ns", "--folds", "0,1", "--resamples", "50", "--quiet"]
    assert main(["run", "--models", "left-to-right", "--out", str(folder), *few]) == 2
    printed = capsys.readouterr()
    assert printed.out.startswith("New Sentence (ns), ranked by energy\nmodel")
    assert printed.err == "scandl-eval: the page cannot be made\n"
    assert (folder / "leaderboard.csv").is_file()

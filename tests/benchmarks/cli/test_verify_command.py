from __future__ import annotations

import shutil

import pytest

import scandl_analysis.cli
from scandl_eval.cli import main


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A small run with its report, made once."""
    folder = tmp_path_factory.mktemp("runs") / "small"
    few = ["--settings", "nrns", "--folds", "0", "--models", "left-to-right,markov", "--resamples", "20"]
    assert main(["run", "--corpus", "demo", *few, "--out", str(folder), "--quiet"]) == 0
    return folder


@pytest.fixture
def run(finished, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(finished, folder)
    return folder


def test_a_run_is_what_it_wrote(run, capsys):
    assert main(["verify", str(run)]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{run}: all ")
    assert second.startswith("made by command ")
    assert second.endswith(", seed 1")


@pytest.mark.parametrize(
    "name",
    [
        "predictions/markov/nrns.csv",
        "scores/markov/nrns.csv",
        "run.toml",
        "splits/nrns-0.json",
        "leaderboard.csv",
        "leaderboard.json",
    ],
)
def test_a_truncated_file_is_found(run, name, capsys):
    content = (run / name).read_bytes()
    (run / name).write_bytes(content[: len(content) // 3])
    assert main(["verify", str(run)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{run / name}: found other content than its checksum, expected what the run wrote: the same "
        "'scandl-eval run' writes it again",
        f"{run}: 1 files are not what the run wrote",
    ]


READERS = {
    "variability": (scandl_analysis.cli, ["variability", "--run", "RUN", "--setting", "nrns"]),
    "correlations": (scandl_analysis.cli, ["correlations", "--run", "RUN", "--setting", "nrns"]),
    "psycholing": (scandl_analysis.cli, ["psycholing", "--run", "RUN", "--setting", "nrns", "--out", "new"]),
    "predictive-power": (scandl_analysis.cli, ["predictive-power", "--run", "RUN", "--setting", "nrns"]),
    "report": (scandl_analysis.cli, ["report", "RUN", "--out", "new.html"]),
    "figures": (None, ["leaderboard", "RUN", "--figures", "new"]),
}


@pytest.mark.parametrize(("room", "line"), READERS.values(), ids=READERS)
def test_everything_that_reads_a_run_refuses_a_truncated_table(run, room, line, capsys, monkeypatch):
    monkeypatch.chdir(run.parent)
    table = run / "predictions" / "markov" / "nrns.csv"
    table.write_text("".join(table.read_text().splitlines(keepends=True)[:28]))
    command = room.main if room else main
    assert command([word.replace("RUN", str(run)) for word in line]) == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert f"{table}: found other content than its checksum, expected what the run wrote" in told
    assert sorted(path.name for path in run.parent.iterdir()) == ["run"]


def test_the_same_command_writes_it_again(run, capsys):
    table = run / "predictions" / "markov" / "nrns.csv"
    before = table.read_bytes()
    table.write_bytes(before[:100])
    assert main(["run", "--config", str(run / "run.toml"), "--out", str(run), "--quiet"]) == 0
    assert table.read_bytes() == before
    assert main(["verify", str(run)]) == 0


def test_a_folder_that_is_no_finished_run(run, capsys):
    (run / "manifest.json").unlink()
    assert main(["verify", str(run)]) == 2
    assert "found no manifest.json, expected a finished run" in capsys.readouterr().err
    assert main(["leaderboard", str(run)]) == 2

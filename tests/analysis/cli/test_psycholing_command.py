"""``scandl-analysis psycholing`` as a user calls it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from scandl.extras import install_command
from scandl_analysis.cli import main
from scandl_analysis.words.analysed_run import demo_run

WORDS = ["--surprisal", "unigram", "--frequency", "proportion", "--quiet", "--no-ceiling"]
QUICK = ["--engine", "laplace", *WORDS]
FEW = ["--engine", "hmc", "--draws", "50", "--measures", "sr", "--no-edge-check", *WORDS]


def test_without_a_run_it_is_the_demo_and_the_first_line_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("arviz", reason="scandl[analysis] is not installed")
    monkeypatch.chdir(tmp_path)
    assert main(["psycholing", "--setting", "nrns", *FEW]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "embedded demo" in lines[0]
    start = next(k for k, line in enumerate(lines) if line.startswith("skipping, percentage points"))
    assert any(line.startswith("uniform ") for line in lines[start : start + 10])
    assert any("not estimable: sr is 0 in all" in line for line in lines)
    assert lines[-1] == "written to psycholing-demo"
    for name in ("effects.csv", "recovery.csv", "draws.nc", "words.csv", "report.html"):
        assert (tmp_path / "psycholing-demo" / name).stat().st_size > 0


def test_prediction_files_are_only_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("arviz", reason="scandl[analysis] is not installed")
    monkeypatch.chdir(tmp_path)
    pred = demo_run() / "predictions" / "uniform" / "nrns.csv"
    assert main(["psycholing", "--pred", str(pred), "--corpus", "demo", "--measures", "sr", *QUICK]) == 0
    assert capsys.readouterr().out.endswith("\nnot written: --out DIR keeps the tables\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--run", "nowhere"], "nowhere: found 'no run.toml', expected the folder of a benchmark run"),
        (["--engine", "hcm"], "no engine 'hcm'; did you mean 'hmc'?"),
    ],
)
def test_faults_are_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["psycholing", *arguments, "--quiet"]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("engine", "missing"),
    [
        ("nutpie", "nutpie"),
        ("hmc", "arviz_stats"),
        ("pymc", "bambi"),
        ("hmc", "h5netcdf"),
        ("hmc", "xarray"),
    ],
)
def test_a_missing_extra_is_said_before_any_work(
    engine: str,
    missing: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("arviz", reason="scandl[analysis] is not installed")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.setattr(
        "scandl_analysis.effects.psycholing.psycholing", lambda **_: pytest.fail("worked first")
    )
    assert main(["psycholing", "--engine", engine]) == 2
    needs = f"this needs {missing}, which is not installed: {install_command('analysis')}"
    assert capsys.readouterr().err == f"scandl-analysis: {needs}\n"


@pytest.mark.parametrize("command", ["psycholing", "variability", "correlations"])
def test_a_file_where_a_folder_is_to_be_is_refused_before_any_work(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        "scandl_analysis.words.analysed_run.open_run", lambda *_: pytest.fail("read the run first")
    )
    target = tmp_path / "out"
    target.write_text("mine")
    for out in (target, target / "below"):
        assert main([command, "--out", str(out)]) == 2
        assert f"{target}: found a file, expected a folder" in capsys.readouterr().err
    assert target.read_text() == "mine"


def test_a_folder_of_somebody_else_is_refused_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        "scandl_analysis.words.analysed_run.open_run", lambda *_: pytest.fail("read the run first")
    )
    monkeypatch.setattr("os.access", lambda path, mode: Path(path) != tmp_path)
    assert main(["psycholing", "--out", str(tmp_path / "a" / "b")]) == 2
    assert "b: found no right to write, expected a folder of your own (--out)" in capsys.readouterr().err


def test_what_is_not_replaced_is_said_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    made = {"settings": {"analysis": {"engine": "pymc"}}}
    (tmp_path / "psycholing-demo").mkdir()
    (tmp_path / "psycholing-demo" / "effects.csv.json").write_text(json.dumps(made))

    def begun(**given: object) -> None:
        assert given["store"] is None
        raise KeyboardInterrupt

    monkeypatch.setattr("scandl_analysis.effects.psycholing.psycholing", begun)
    assert main(["psycholing", "--setting", "nrns"]) == 130
    lines = capsys.readouterr().out.splitlines()
    assert "embedded demo" in lines[0]
    assert lines[-1] == "psycholing-demo holds an analysis with engine pymc: this one is only printed"


@pytest.mark.parametrize(
    ("flag", "value", "least"), [("--draws", "3", 4), ("--draws", "-5", 4), ("--chains", "0", 1)]
)
def test_too_few_draws_or_chains_are_refused(
    flag: str, value: str, least: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["psycholing", f"{flag}={value}"])
    assert stopped.value.code == 2
    assert (
        f"argument {flag}: expected a whole number from {least}, found '{value}'" in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--corpus", "demo", "--setting", "ns"], "--corpus without --pred is of readers alone"),
        (
            ["--corpus", "demo", "--keep", "edges", "--drop", "last"],
            "--keep edges and --drop exclude each other",
        ),
    ],
)
def test_flags_that_do_not_go_together(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["psycholing", *arguments, "--quiet"]) == 2
    assert message in capsys.readouterr().err

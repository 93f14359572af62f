"""``scandl-analysis psycholing`` as a user calls it."""

from __future__ import annotations

from pathlib import Path

import pytest

from scandl_analysis.cli import main


def test_without_a_run_it_is_the_demo_and_the_first_line_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("arviz", reason="scandl[analysis] is not installed")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("scandl_analysis.fitting._CELLS", 0)  # as few replicates as are made at all
    out = tmp_path / "out"
    arguments = [
        "--setting",
        "nrns",
        "--engine",
        "mle",
        "--surprisal",
        "unigram",
        "--frequency",
        "proportion",
    ]
    assert main(["psycholing", *arguments, "--out", str(out), "--quiet", "--no-ceiling"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "embedded demo" in lines[0]
    assert any(line.split()[:2] == ["uniform", "sr"] for line in lines)
    assert any("not estimable: sr is 0 in all" in line for line in lines)
    for name in ("effects.csv", "recovery.csv", "draws.nc", "words.csv"):
        assert (out / name).stat().st_size > 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--run", "nowhere"], "nowhere: found 'no run.toml', expected the folder of a benchmark run"),
        (["--engine", "nut", "--surprisal", "unigram"], "no engine 'nut'; did you mean 'nuts'?"),
    ],
)
def test_faults_are_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    arguments: list[str], message: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert main(["psycholing", *arguments, "--quiet"]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []

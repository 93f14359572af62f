"""``scandl-analysis ease`` prints texts, differences in words and the hardest spans, and writes its tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from scandl_analysis.cli import main

TABLE = "item_id,A,B\n1,Institutional deliberation presupposes codification.,The cat sat down.\n"


def test_the_command_says_what_is_hard(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts, out = tmp_path / "t.csv", tmp_path / "out"
    texts.write_text(TABLE)
    flags = ["--readers", "4", "--context", "small", "--out", str(out)]
    assert main(["ease", "--texts", str(texts), "--by", "A,B", *flags]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "2 texts; 4 simulated readers of people, the same in all, task sentence"
    assert [line.split()[0] for line in printed if "/" in line.split()[0]] == ["1/A", "1/B"]
    assert any(line.startswith("A takes") and "of 1 items" in line for line in printed)
    made = {"ease.csv", "words.csv", "readers.csv", "systems.csv", "differences.csv"}
    assert {path.name for path in out.glob("*.csv")} == made
    first = (out / "ease.csv").read_bytes()
    assert main(["ease", "--texts", str(texts), "--by", "A,B", *flags, "--quiet"]) == 0
    assert (out / "ease.csv").read_bytes() == first


@pytest.mark.parametrize(
    ("flags", "error"),
    [
        (["--texts", "none.txt"], "none.txt: found no file"),
        (["--texts", "t.txt", "--model", "uniform"], "model 'uniform' has no fixation durations"),
        (["--texts", "t.txt", "--group", "L3"], "--group L3: no such group of readers"),
        (["--texts", "t.txt", "--by", "system"], "t.txt:1: column 'system': found only the columns"),
    ],
)
def test_bad_input_is_one_line(
    flags: list[str],
    error: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.txt").write_text("The cat sat.\n")
    assert main(["ease", *flags, "--context", "none"]) == 2
    said = capsys.readouterr().err
    assert error in said
    assert said.count("\n") == 1

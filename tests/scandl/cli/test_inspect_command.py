"""``scandl inspect``: decoding step by step."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from scandl.cli import main

Refused = Callable[[list[str]], str]


def test_decoding_is_inspected(checkpoint: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "progress.csv"
    command = ["inspect", "--model", str(checkpoint), "--text", "The cat sat.", "--samples", "2"]
    assert main([*command, "--out", str(out)]) == 0
    assert len(out.read_text().splitlines()) == 21  # all trained steps, and the header
    assert "99% of the positions have their final id at step " in capsys.readouterr().out


def test_steps_of_nothing_are_not_all_steps(checkpoint: Path, tmp_path: Path, refused: Refused) -> None:
    command = ["inspect", "--model", str(checkpoint), "--text", "a b", "--out", str(tmp_path / "p.csv")]
    assert refused([*command, "--steps", "0"]) == "scandl: sampling steps: found 0, expected 2..20"

"""``scandl export``: the exported model reads as the checkpoint does."""

from __future__ import annotations

from pathlib import Path

import pytest

from scandl.cli import main

STEPS = ["--steps", "5"]


def test_an_exported_model_reads_the_same(
    checkpoint: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exported = tmp_path / "model.npz"
    assert main(["export", str(checkpoint), "--out", str(exported), "--quiet"]) == 0
    assert capsys.readouterr().out == f"{exported}\n"
    readings = []
    for model in (checkpoint, exported):
        assert main(["generate", "--model", str(model), "--text", "The cat sat.", *STEPS]) == 0
        readings.append(capsys.readouterr().out)
    assert readings[0] == readings[1]

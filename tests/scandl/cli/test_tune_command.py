"""``scandl tune``: the best cell is printed, and the study is where it was asked for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from scandl.cli import main

CELL = {"layers": (1,), "heads": (2,), "dim": (16,), "schedule": ("sqrt",)}
TINY = ["model.feed_forward=16", "diffusion.steps=20", "training.steps=2", "training.batch=4"]


def command(corpus: Path, out: Path, *more: str) -> list[str]:
    settings = [part for setting in TINY for part in ("--set", setting)]
    start = ["tune", "--corpus", str(corpus), "--out", str(out), "--preset", "small", "--device", "cpu"]
    return [*start, "--steps", "4", "--quiet", *settings, *more]


def test_the_best_cell_is_printed(
    corpus_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    refused: Callable[[list[str]], str],
) -> None:
    monkeypatch.setattr("scandl.models.diffusion.tuning.SPACE", CELL)
    assert main(command(corpus_folder, tmp_path, "--trials", "1")) == 0
    printed = dict(line.split(" = ") for line in capsys.readouterr().out.splitlines())
    assert (printed["layers"], printed["schedule"]) == ("1", "sqrt")
    assert 0 <= float(printed["nld"]) <= 1
    assert (tmp_path / "study.db").exists()
    assert main(command(corpus_folder, tmp_path, "--trials", "1")) == 0  # nothing is left to do
    assert f"nld = {printed['nld']}" in capsys.readouterr().out
    line = refused(command(corpus_folder, tmp_path, "--trials", "1", "--seed", "77"))
    assert line.endswith("study.db: a study made with seed 1, not 77; give another --out or --storage")


def test_what_it_refuses(corpus_folder: Path, tmp_path: Path, refused: Callable[[list[str]], str]) -> None:
    assert (
        refused(command(corpus_folder, tmp_path, "--trials", "0"))
        == "scandl: --trials 0: expected at least 1"
    )
    assert refused(command(corpus_folder, tmp_path, "--preset", "big")).startswith("scandl: no preset 'big';")
    line = refused(command(corpus_folder, tmp_path, "--storage", "foo://bar"))
    assert line.startswith("scandl: foo://bar: cannot be opened as a study (")
    assert list(tmp_path.iterdir()) == []

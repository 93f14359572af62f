"""GPUs by name: those that are visible, one for each worker, in turn."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scandl import gpus


@pytest.mark.parametrize(
    ("told", "names"),
    [
        ("0,1", ["0", "1"]),
        ("3", ["3"]),
        ("GPU-8f2, GPU-77a", ["GPU-8f2", "GPU-77a"]),
        ("", []),
        ("-1", []),
        ("1,-1,2", ["1"]),
    ],
)
def test_what_the_variable_says(told: str, names: list[str]) -> None:
    assert gpus.visible_gpus({gpus.VISIBLE: told}) == names


def test_without_it_what_the_driver_lists(tmp_path: Path) -> None:
    assert gpus.visible_gpus({}, tmp_path / "none") == []
    for name in ("0000:3b:00.0", "0000:5e:00.0"):
        (tmp_path / name).mkdir()
    assert gpus.visible_gpus({}, tmp_path) == ["0", "1"]


def test_workers_have_one_each_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(gpus.VISIBLE, "4,7")
    assert list(gpus.one_each(5)) == ["4", "7", "4", "7", "4"]
    gpus.use_only("7")
    assert os.environ[gpus.VISIBLE] == "7"
    gpus.use_only(None)
    assert os.environ[gpus.VISIBLE] == "7"
    monkeypatch.setenv(gpus.VISIBLE, "")
    assert list(gpus.one_each(2)) == [None, None]

"""Progress: plain lines where there is no terminal, nothing when quiet."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from scandl import progress


def test_plain_lines_come_every_ten_seconds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter(range(0, 1000, 4))
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    assert list(progress.track("abcdef", "folds", total=6)) == list("abcdef")
    assert capsys.readouterr().err == "folds: 3/6 after 12 s, about 12 s left\nfolds: 6/6 after 24 s\n"


def test_quiet_is_silent(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(progress.track([1, 2], "folds", quiet=True)) == [1, 2]
    assert capsys.readouterr().err == ""


def test_trainings_show_themselves_only_within_work_that_is_shown() -> None:
    assert not progress.trainings_are_shown()
    with progress.showing_trainings():
        assert progress.trainings_are_shown()
        with progress.showing_trainings(False):
            assert not progress.trainings_are_shown()
    with ProcessPoolExecutor(1, get_context("spawn")) as pool, progress.showing_trainings():
        assert not pool.submit(progress.trainings_are_shown).result()  # bars of several would mix
    assert not progress.trainings_are_shown()

"""Progress: plain lines where there is no terminal, nothing when quiet."""

from __future__ import annotations

import re
from collections.abc import Iterator
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


def test_the_time_left_is_right_when_kinds_differ(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two kinds, one of 30 seconds and one of 1, one after the other: right from the second task on."""
    kinds = ["slow", "quick"] * 5
    cost = {"slow": 30.0, "quick": 1.0}
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    left = progress.TimeLeft(kinds)

    def work() -> Iterator[str]:
        for kind in kinds:
            now[0] += cost[kind]
            yield kind

    for kind in progress.track(work(), "models", total=10, left=left):
        left.took(kind, cost[kind])
    said = [
        [float(number) for number in re.findall(r"(\d+) s", line)]
        for line in capsys.readouterr().err.splitlines()[1:-1]
    ]
    assert len(said) >= 4
    assert all(passed + rest == pytest.approx(5 * 31.0) for passed, rest in said)


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

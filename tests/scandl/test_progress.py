"""Progress: plain lines where there is no terminal, nothing when quiet."""

from __future__ import annotations

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

"""The cache: where the user says, or where the system keeps such things."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from scandl.files.cache_folder import cache_folder


def test_the_user_goes_before_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCANDL_CACHE", "/somewhere/else")
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    assert cache_folder() == Path("/somewhere/else")


@pytest.mark.parametrize(
    ("platform", "expected"),
    [
        ("linux", Path("/xdg/scandl")),
        ("darwin", Path("/their/home/Library/Caches/scandl")),
        ("win32", Path("/local/scandl/cache")),
    ],
)
def test_every_system_has_its_place(platform: str, expected: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SCANDL_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    monkeypatch.setenv("LOCALAPPDATA", "/local")
    monkeypatch.setattr(Path, "home", lambda: Path("/their/home"))
    monkeypatch.setattr(sys, "platform", platform)
    assert cache_folder() == expected


def test_without_a_variable_it_is_below_home(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SCANDL_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: Path("/their/home"))
    monkeypatch.setattr(sys, "platform", "linux")
    assert cache_folder() == Path("/their/home/.cache/scandl")

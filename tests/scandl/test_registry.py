"""Names: did-you-mean, no double registration, entry points of other packages."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from scandl.errors import ScandlError
from scandl.registry import Registry


def test_a_name_can_be_taken_once() -> None:
    registry: Registry[int] = Registry("number")
    registry.register("one")(1)
    with pytest.raises(ScandlError, match="number 'one' is registered twice"):
        registry.register("one")(2)
    assert list(registry) == ["one"]
    assert "two" not in registry


def test_a_far_off_name_lists_what_there_is() -> None:
    registry: Registry[int] = Registry("number")
    registry.register("one")(1)
    with pytest.raises(ScandlError, match="^no number 'xyz'; known: one$"):
        registry["xyz"]


def test_other_packages_add_names_but_take_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "theirs.py").write_text("two = 2\none = -1\n")
    info = tmp_path / "theirs-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[scandl.numbers]\ntwo = theirs:two\none = theirs:one\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    registry: Registry[int] = Registry("number", entry_point_group="scandl.numbers")
    registry.register("one")(1)
    assert list(registry) == ["one", "two"]
    assert (registry["one"], registry["two"]) == (1, 2)

"""Doctests on the site are code, and the text around them stays text."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

pytest.importorskip("griffe", reason="scandl[docs] is not installed")
FILE = Path(__file__).parents[2] / "docs" / "hooks" / "doctest_blocks.py"


def test_blocks_are_fenced() -> None:
    spec = importlib.util.spec_from_file_location("doctest_blocks", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.fenced("Add.\n\n>>> 1 + 1\n2\n>>> 3\n3\n\nThat is all.\n\n>>> 4\n4") == (
        "Add.\n\n```pycon\n>>> 1 + 1\n2\n>>> 3\n3\n```\n\nThat is all.\n\n```pycon\n>>> 4\n4\n```"
    )
    assert module.fenced("Nothing to run.") == "Nothing to run."

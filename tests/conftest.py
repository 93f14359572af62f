"""Fixtures that all rooms share."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("any machine", deadline=None)  # speed is measured elsewhere; a busy one is no fault
settings.load_profile("any machine")

os.environ.pop("SCANDL_CHECKPOINTS", None)  # what somebody trained before is no test

SHARED = Path(os.environ.get("SCANDL_SHARED_DATA", Path(__file__).parents[2] / "shared" / "data"))


@pytest.fixture
def shared() -> Callable[[str], Path]:
    """Return the folder of a real corpus beside the project; skip where it is absent."""

    def folder(name: str) -> Path:
        path = SHARED / name
        if not path.exists():
            pytest.skip(f"real corpus {name!r} is not beside the project (set SCANDL_SHARED_DATA)")
        return path

    return folder


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Let Ctrl-C interrupt, as on a terminal: what a shell runs in the background ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)

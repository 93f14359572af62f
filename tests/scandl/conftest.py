"""Fixtures that the rooms of the core share."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scandl.cli import main


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Callable[[list[str]], str]:
    """Run a command that must fail, and return its one line."""

    def run(command: list[str]) -> str:
        capsys.readouterr()
        assert main(command) == 2
        (line,) = capsys.readouterr().err.splitlines()
        return line

    return run

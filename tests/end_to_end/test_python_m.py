"""``python -m`` runs each command, also where its script is not on the path."""

from __future__ import annotations

import subprocess
import sys

import pytest

import scandl


@pytest.mark.parametrize(
    ("package", "command"),
    [("scandl", "scandl"), ("scandl_eval", "scandl-eval"), ("scandl_analysis", "scandl-analysis")],
)
def test_packages_are_commands(package: str, command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", package, "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{command} {scandl.__version__}\n"
    wrong = subprocess.run([sys.executable, "-m", package, "--no-such-flag"], capture_output=True, text=True)
    assert wrong.returncode == 2
    assert wrong.stderr.startswith(f"{command}: ")
    assert wrong.stderr.count("\n") == 1

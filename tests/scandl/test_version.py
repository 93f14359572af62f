"""One version for the whole project."""

from __future__ import annotations

import tomllib
from pathlib import Path

import scandl
import scandl_analysis
import scandl_eval
from scandl.version import __version__


def test_every_package_has_it() -> None:
    assert scandl.__version__ == scandl_eval.__version__ == scandl_analysis.__version__ == __version__


def test_it_is_that_of_the_project() -> None:
    """The project states the number, or says that it is taken from the module."""
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert project.get("version", __version__) == __version__

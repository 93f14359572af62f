"""Shipped configurations: the published experiments as files that ``scandl-eval run --config`` takes."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path

from scandl.config import read_config
from scandl_eval.running.run_config import RunConfig

FOLDER = "scandl_eval.recipes"


def recipe_names() -> list[str]:
    """Return the names of the shipped configurations.

    >>> recipe_names()
    ['paper', 'paper-ablations', 'paper-cross']
    """
    return sorted(
        found.name.removesuffix(".toml") for found in files(FOLDER).iterdir() if found.name.endswith(".toml")
    )


def read_run_config(source: str | None) -> RunConfig:
    """Read a file, or the shipped configuration of that name; a file of one's own comes first."""
    name = "" if source is None else source.removesuffix(".toml")
    if source is None or Path(source).exists() or name not in recipe_names():
        return read_config(RunConfig, source)
    with as_file(files(FOLDER).joinpath(f"{name}.toml")) as path:
        return read_config(RunConfig, path)

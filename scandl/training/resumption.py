"""What a training may be gone on with, and what only a new one can change."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scandl.errors import ScandlError

FREE = ("steps", "save_every", "log_every", "validate_every", "patience", "accumulate", "compile")
"""Settings of a training that may differ when it is taken up again: how long, how often, in what parts."""


def check_same(path: Path, saved: Mapping[str, Any], contents: Mapping[str, Any], steps: int) -> None:
    """Raise if a checkpoint is of another training, or has done more steps than are wanted.

    A finished training is gone on with by asking for more steps. Under a linear decay the learning
    rate then follows the new length from where it is; under a constant one the result is that of a
    training that was as long from the beginning.
    """
    for name, now in contents.items():
        if fixed(saved.get(name)) != fixed(now):
            raise ScandlError(
                f"{path}: its {name} differs from this run's; train into another folder or with --restart"
            )
    done = saved.get("step", 0)
    if isinstance(done, int) and done > steps:
        raise ScandlError(
            f"{path}: has done {done:,} steps, found training.steps={steps}, expected at least as many;"
            " train into another folder or with --restart"
        )


def fixed(table: Any) -> Any:
    """Return settings without those that may differ.

    >>> fixed({"model": {"layers": 4}, "training": {"steps": 9, "lr": 0.1}})
    {'model': {'layers': 4}, 'training': {'lr': 0.1}}
    """
    if not isinstance(table, Mapping) or not isinstance(table.get("training"), Mapping):
        return table
    kept = {name: value for name, value in table["training"].items() if name not in FREE}
    return {**table, "training": kept}

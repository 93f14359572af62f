"""What a command reads it does not write: an output that is one of the inputs is refused."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from scandl.errors import DataError, Fact

Identity = tuple[int, int]
"""Device and number: what a file is known by under all its names."""

_inputs: dict[Identity, Path] | None = None
"""The files that the present command reads; None outside of a command."""


@contextmanager
def inputs_kept(outputs: Iterable[Path | str], inputs: Iterable[Path | str]) -> Iterator[None]:
    """Refuse to write any file that is read while the block runs; what is known before is refused at once."""
    global _inputs
    _inputs = {}
    try:
        for path in inputs:
            note_input(path)
        for path in outputs:
            refuse_input(path)
        yield
    finally:
        _inputs = None


def note_input(path: Path | str) -> None:
    """Take note of a file that a command reads."""
    if _inputs is not None and (found := _identity(path)):
        _inputs[found] = Path(path).absolute()


def refuse_input(output: Path | str, *inputs: Path | str) -> None:
    """Refuse an output that is one of these inputs, or that the present command has read."""
    found = _identity(output)
    if found is None:
        return
    known = (_inputs or {}).get(found)
    # A file that was read and is gone may have left its number to another.
    if any(_identity(path) == found for path in (*inputs, *([known] if known else []))):
        raise DataError(output, None, None, Fact("a file that is read"), "another name for what is written")


def _identity(path: Path | str) -> Identity | None:
    """Return what a regular file is known by; None where there is none."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None

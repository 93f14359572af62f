"""Files of weights that are used without torch, and the checksums inside them and inside checkpoints.

One changed bit is seen before it changes a scanpath. Both kinds of file are zip archives. The checksum covers
every byte before it and is the comment of the archive, at its end.
"""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from scandl.errors import ScandlError
from scandl.files.results import atomic_file

_HEX = 64
_MARK = b"sha256 "
_COMMENT = len(_MARK) + _HEX
SUFFIX = ".npz"
_FACTS = "facts"  # the array with everything but weights
Weights = Mapping[str, NDArray[Any]]


def seal_archive(path: Path) -> None:
    """Write the checksum of a zip archive without a comment as its comment."""
    with path.open("r+b") as stream:
        stream.seek(-2, os.SEEK_END)  # an archive ends with the length of its comment
        stream.write(_COMMENT.to_bytes(2, "little"))
        stream.write(_MARK + _digest(stream, stream.tell()))


def archive_is_whole(path: Path) -> bool:
    """Say whether an archive is as it was sealed; one that never was is held against its own CRCs."""
    try:
        with zipfile.ZipFile(path) as archive:
            if not archive.comment:
                return archive.testzip() is None
    except (zipfile.BadZipFile, NotImplementedError, ValueError, EOFError):
        return False
    with path.open("rb") as stream:
        stream.seek(-_COMMENT, os.SEEK_END)
        end, comment = stream.tell(), stream.read()
        return comment == _MARK + _digest(stream, end)


def _digest(stream: BinaryIO, end: int) -> bytes:
    """Return the checksum of the first ``end`` bytes, and stand behind them again."""
    stream.seek(0)
    found = hashlib.sha256()
    left = end
    while chunk := stream.read(min(left, 1 << 20)):
        found.update(chunk)
        left -= len(chunk)
    stream.seek(end)
    return found.hexdigest().encode()


def write_weights(path: Path | str, facts: Mapping[str, Any], weights: Weights) -> Path:
    """Write arrays in single precision with facts about them; equal contents give equal bytes.

    Parameters
    ----------
    path
        The file, whose name ends in ``.npz``.
    facts
        What JSON can hold. ``format`` says which model it is.
    weights
        The arrays by name.

    Returns
    -------
    Path
        The file that was written.
    """
    target = Path(path)
    if target.suffix != SUFFIX:
        raise ScandlError(f"--out {target}: expected a name that ends in {SUFFIX}")
    arrays: dict[str, Any] = {name: np.asarray(value, dtype=np.float32) for name, value in weights.items()}
    arrays[_FACTS] = np.frombuffer(json.dumps(facts).encode(), np.uint8)
    with atomic_file(target) as temporary:
        with temporary.open("wb") as stream:
            np.savez_compressed(stream, **arrays)
        seal_archive(temporary)
    return target


def read_weights(path: Path | str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return facts and arrays of a file; one that was changed or is something else is refused."""
    source = Path(path)
    if not source.is_file():
        raise ScandlError(f"{source}: no such model")
    if not archive_is_whole(source):
        raise ScandlError(f"{source}: not a whole model file (truncated, changed, something else)")
    try:
        with np.load(source, allow_pickle=False) as archive:
            arrays = dict(archive)
        return json.loads(arrays.pop(_FACTS).tobytes()), arrays
    except (KeyError, ValueError):
        raise ScandlError(f"{source}: found an archive without facts, expected a model file") from None


def check_format(path: Path | str, facts: Mapping[str, Any], expected: str) -> None:
    """Refuse a file of another kind of model, or of another version."""
    found = facts.get("format", "none")
    if found != expected:
        raise ScandlError(f"{path}: found format {found}, expected {expected}: made by another version")

"""Checkpoints: weights with everything needed to use or resume them, whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from scandl.errors import ScandlError
from scandl.files.atomic_writes import atomic_file

FORMAT = 1


def write_checkpoint(path: Path | str, contents: dict[str, Any]) -> None:
    """Write a checkpoint; a full disk leaves the previous one."""
    try:
        with atomic_file(path) as temporary:
            torch.save({"format": FORMAT, **contents}, temporary)
    except (OSError, RuntimeError) as error:  # torch's own writer raises the second
        reason = str(error).splitlines()[0]
        raise ScandlError(f"{path}: cannot be written ({reason}); the previous checkpoint stays") from None


def read_checkpoint(path: Path | str) -> dict[str, Any]:
    """Read a checkpoint to the CPU; only plain data and tensors are accepted, never code."""
    source = Path(path)
    if not source.is_file():
        raise ScandlError(f"{source}: no such checkpoint")
    try:
        contents = torch.load(source, map_location="cpu", weights_only=True)
    except OSError:
        raise
    except Exception:  # reading other bytes as a checkpoint ends in errors of any kind
        raise ScandlError(
            f"{source}: not a whole checkpoint of this program (truncated, or something else)"
        ) from None
    if not isinstance(contents, dict) or contents.get("format") != FORMAT:
        found = contents.get("format") if isinstance(contents, dict) else type(contents).__name__
        raise ScandlError(
            f"{source}: found checkpoint format {found}, expected {FORMAT}: made by another version"
        )
    return contents

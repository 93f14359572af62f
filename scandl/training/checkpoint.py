"""Checkpoints: weights with everything needed to use or resume them, whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch

from scandl.errors import ScandlError
from scandl.files.results import atomic_file
from scandl.training.checksums import archive_is_whole, seal_archive

FORMAT = 1


def write_checkpoint(path: Path | str, contents: dict[str, Any]) -> None:
    """Write a checkpoint; a full disk leaves the previous one. Equal contents give equal bytes."""
    try:
        with atomic_file(path) as temporary:
            with temporary.open("wb") as stream:  # a path's name would become part of the archive
                torch.save({"format": FORMAT, **contents}, stream)
            seal_archive(temporary)
    except (OSError, RuntimeError) as error:  # torch's own writer raises the second
        reason = str(error).splitlines()[0]
        raise ScandlError(f"{path}: cannot be written ({reason}); the previous checkpoint stays") from None


def read_checkpoint(path: Path | str) -> dict[str, Any]:
    """Read a checkpoint to the CPU; only plain data and tensors are accepted, never code."""
    source = Path(path)
    if not source.is_file():
        raise ScandlError(f"{source}: no such checkpoint")
    try:
        if not archive_is_whole(source):
            raise _not_whole(source)
        contents = torch.load(source, map_location="cpu", weights_only=True)
    except (OSError, ScandlError):
        raise
    except Exception:  # reading other bytes as a checkpoint ends in errors of any kind
        raise _not_whole(source) from None
    if not isinstance(contents, dict) or contents.get("format") != FORMAT:
        found = contents.get("format") if isinstance(contents, dict) else type(contents).__name__
        raise ScandlError(
            f"{source}: found checkpoint format {found}, expected {FORMAT}: made by another version"
        )
    for part in ("ema", "weights", "folded", "optimizer"):
        _check_precision(source, part, contents.get(part))
    return contents


def _check_precision(path: Path, name: str, part: object) -> None:
    """Refuse numbers of another precision: they cannot be reckoned with beside those of the program."""
    if isinstance(part, torch.Tensor) and part.is_floating_point() and part.dtype != torch.float32:
        raise ScandlError(f"{path}: {name}: found numbers of type {part.dtype}, expected {torch.float32}")
    if isinstance(part, Mapping):
        for key, value in part.items():
            _check_precision(path, f"{name}.{key}", value)


def check_numbers(path: Path | str, weights: Mapping[str, torch.Tensor]) -> None:
    """Refuse weights that are no numbers: such a network generates nothing, and says nothing."""
    for name, weight in weights.items():
        if not torch.isfinite(weight).all():
            raise ScandlError(f"{path}: weights {name!r} hold NaN or infinity: nothing can be generated")


@contextmanager
def complete(path: Path | str) -> Iterator[None]:
    """Turn what goes wrong when parts of a checkpoint are missing or do not fit into one line."""
    try:
        yield
    except (KeyError, TypeError, AttributeError, ValueError, RuntimeError) as error:
        reason = f"no {error}" if isinstance(error, KeyError) else str(error).splitlines()[0]
        raise ScandlError(
            f"{path}: a checkpoint that lacks parts, or whose parts do not fit ({reason})"
        ) from None


def _not_whole(path: Path) -> ScandlError:
    return ScandlError(
        f"{path}: not a whole checkpoint of this program (truncated, changed, or something else)"
    )

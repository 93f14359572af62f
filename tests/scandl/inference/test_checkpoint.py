"""Checkpoints: what is ours, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from scandl.errors import ScandlError
from scandl.inference.checkpoint import read_checkpoint, write_checkpoint


def test_checkpoints_that_are_not_ours_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.pt"
    with pytest.raises(ScandlError, match="x.pt: no such checkpoint"):
        read_checkpoint(path)
    write_checkpoint(path, {"step": 1})
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(ScandlError, match="x.pt: not a whole checkpoint"):
        read_checkpoint(path)
    torch.save({"format": 99}, path)
    with pytest.raises(ScandlError, match="found checkpoint format 99, expected 1: made by another version"):
        read_checkpoint(path)

"""What a checkpoint of ScanDL holds beside its weights: the encoder, with the projection folded in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from torch import Tensor

from scandl.errors import ScandlError
from scandl.text.folded import Folded
from scandl.training.checkpoint import read_checkpoint

PREFIX = "denoiser."
"""What the names of the network's weights begin with, within those of the objective."""
TEXT = "text."
"""What the names of the projection's weights begin with, within those of the network."""


def read_scandl(path: Path | str) -> dict[str, Any]:
    """Read a checkpoint of this task; other models have checkpoints too."""
    saved = read_checkpoint(path)
    if "folded" not in saved:
        raise ScandlError(f"{path}: a checkpoint, but not of ScanDL")
    return saved


def folded_from(saved: Mapping[str, Any]) -> Folded:
    """Return the folded encoder of a checkpoint."""
    arrays = {name: saved[name].numpy() for name in ("table", "bias")}
    return Folded(saved["name"], saved["identity"], saved["tokenizer"], **arrays)


def without_text(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the network's weights without the projection, which is folded into the encoder."""
    return {name: weight for name, weight in weights.items() if not name.startswith(TEXT)}

"""Inputs of the network as tensors: what one batch of sentences and scanpaths looks like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from scandl.models.diffusion.tokens import Tokens


@dataclass(frozen=True, slots=True)
class Batch:
    """Inputs of the model as tensors, all of one bucket."""

    ids: Tensor  # (B, L)
    positions: Tensor  # (B, L)
    noised: Tensor  # (B, L) boolean
    padding: Tensor  # (B, L) boolean
    text: Tensor  # (B, L, text_dim)


def collate(examples: Sequence[Tokens], device: torch.device | str = "cpu") -> Batch:
    """Stack inputs of one bucket into tensors."""

    def stacked(name: str) -> Tensor:
        return torch.from_numpy(np.stack([getattr(example, name) for example in examples])).to(device)

    return Batch(stacked("ids"), stacked("positions"), stacked("noised"), stacked("padding"), stacked("text"))

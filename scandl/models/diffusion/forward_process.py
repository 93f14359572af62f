"""The diffusion process on tensors, in the paper's symbols: q adds noise.

Only the embedding of the word ids is noised, and only on the scanpath side of the mask; the
sentence is put back after every step. Tensors are (batch, positions, dim).
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from scandl.models.diffusion.noise_levels import Process


class Diffusion(Process):
    """A process that draws tensors."""

    def q_sample(self, z_0: Tensor, t: Tensor, noise: Tensor, noised: Tensor) -> Tensor:
        """Draw z_t; where ``noised`` is False z_0 stays (partial noising).

        z_0, noise (B, L, d); t (B,); noised (B, L) boolean.
        """
        signal, rest = (level[t].view(-1, 1, 1) for level in self.levels(t.device))  # (B, 1, 1)
        return torch.where(noised.unsqueeze(-1), signal * z_0 + rest * noise, z_0)

    def levels(self, device: torch.device) -> tuple[Tensor, Tensor]:
        """Return √ᾱ and √(1 − ᾱ), (T,) each, on a device: sent there once, in single precision."""
        if device not in self._levels:
            both = np.sqrt(self.alpha_bar), np.sqrt(1.0 - self.alpha_bar)
            signal, rest = (torch.from_numpy(level.astype(np.float32)).to(device) for level in both)
            self._levels[device] = signal, rest
        return self._levels[device]

    @cached_property
    def _levels(self) -> dict[torch.device, tuple[Tensor, Tensor]]:
        return {}

"""The diffusion process on tensors, in the paper's symbols: q adds noise.

Only the embedding of the word ids is noised, and only on the scanpath side of the mask; the
sentence is put back after every step. Tensors are (batch, positions, dim).
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from scandl.diffusion.noise_levels import Process
from scandl.diffusion.schedules import Betas


class Diffusion(Process):
    """A process that draws tensors."""

    def q_sample(self, z_0: Tensor, t: Tensor, noise: Tensor, noised: Tensor) -> Tensor:
        """Draw z_t; where ``noised`` is False z_0 stays (partial noising).

        z_0, noise (B, L, d); t (B,); noised (B, L) boolean.
        """
        signal = at(np.sqrt(self.alpha_bar), t, z_0)  # (B, 1, 1)
        rest = at(np.sqrt(1.0 - self.alpha_bar), t, z_0)
        return torch.where(noised.unsqueeze(-1), signal * z_0 + rest * noise, z_0)


def at(constants: Betas, t: Tensor, like: Tensor) -> Tensor:
    """Return ``constants[t]`` shaped (B, 1, 1), in the type and place of ``like``."""
    chosen = torch.as_tensor(constants, device=t.device)[t]
    return chosen.to(device=like.device, dtype=like.dtype).view(-1, 1, 1)

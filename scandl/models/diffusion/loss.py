"""What training minimises: per-sample terms of the loss, as released or as printed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from scandl.models.diffusion.batch import Batch
from scandl.models.diffusion.denoiser import Denoiser
from scandl.models.diffusion.forward_process import Diffusion
from scandl.models.diffusion.settings import DiffusionConfig


@dataclass(frozen=True, slots=True)
class Loss:
    """The three terms of each sample, (B,) each."""

    mse: Tensor  # squared error of the prediction against z_0; against E(x) where t = 0
    prior: Tensor  # what signal is left at the last step
    rounding: Tensor  # cross-entropy of the tied head on z_0; it keeps the table's rows apart

    @property
    def total(self) -> Tensor:
        """The unweighted sum, (B,)."""
        return self.mse + self.prior + self.rounding


def diffusion_loss(
    model: Denoiser,
    diffusion: Diffusion,
    config: DiffusionConfig,
    batch: Batch,
    t: Tensor,
    start_noise: Tensor,
    noise: Tensor,
) -> Loss:
    """Return the loss of each sample at its step t (B,); both noises are N(0, I), (B, L, d)."""
    embedded = model.ids(batch.ids)  # (B, L, d)
    z_0 = embedded + diffusion.start_std() * start_noise
    z_t = diffusion.q_sample(z_0, t, noise, batch.noised)
    predicted = model(z_t, t, model.condition(batch.positions, batch.text))
    # The gradient passes through z_0 into the id table: that is what the rounding term is for.
    target = torch.where((t == 0).view(-1, 1, 1), embedded, z_0)
    # Released: the mean over dimensions. Printed: a squared norm, which is their sum, so that beside the
    # rounding term (per position in both) the error weighs d times as much.
    squared = (predicted - target).square()
    error = squared.sum(-1) if config.loss == "paper" else squared.mean(-1)  # (B, L)
    counted = _counted(batch, config).to(error.dtype)
    mse = (error * counted).sum(-1) / counted.sum(-1)
    rounding = functional.cross_entropy(model.logits(z_0).transpose(1, 2), batch.ids, reduction="none").mean(
        -1
    )
    signal = float(np.sqrt(diffusion.alpha_bar[-1]))
    prior = (signal * z_0).square().mean((1, 2)) if config.loss == "released" else torch.zeros_like(mse)
    return Loss(mse, prior, rounding)


class Objective(nn.Module):
    """The loss as a module of its own: several processes can share only what goes through ``forward``."""

    def __init__(self, denoiser: Denoiser, diffusion: Diffusion, config: DiffusionConfig) -> None:
        super().__init__()
        self.denoiser = denoiser
        self._diffusion = diffusion
        self._config = config

    def forward(self, batch: Batch, t: Tensor, start_noise: Tensor, noise: Tensor) -> Tensor:
        """Return the total loss of each sample, (B,)."""
        return diffusion_loss(
            self.denoiser, self._diffusion, self._config, batch, t, start_noise, noise
        ).total


def _counted(batch: Batch, config: DiffusionConfig) -> Tensor:
    """Return which positions count in the squared error, (B, L)."""
    counted = torch.ones_like(batch.noised)
    if not config.count_sentence:
        counted = counted & batch.noised
    if not config.count_padding:
        counted = counted & ~batch.padding
    return counted

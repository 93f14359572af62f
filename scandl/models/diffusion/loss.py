"""What training minimises: noise is added (q), a step t is chosen, and the loss has three terms per sample.

Only the embedding of the word ids is noised, and only on the scanpath side of the mask; the
sentence is put back after every step. Tensors are (batch, positions, dim).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from scandl.models.diffusion.denoiser import Denoiser, TokenBatch
from scandl.models.diffusion.noise_levels import Process
from scandl.models.diffusion.settings import DiffusionConfig

_UNIFORM_SHARE = 0.001


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


class TimestepSampler:
    """Draws t with probability ∝ √E[loss²] and gives the weights that undo the bias.

    Nichol & Dhariwal (2021). Until every history is full t is uniform and the weights are 1.
    Steps may share histories in bins, because a small batch fills one history per step only late.
    """

    def __init__(self, config: DiffusionConfig) -> None:
        self.steps = config.steps
        self.importance = config.timesteps == "second-moment"
        self.history = config.history
        self.n_bins = min(config.bins or config.steps, config.steps)
        self.bin_of = torch.arange(config.steps) * self.n_bins // config.steps  # (T,)
        # The newest losses of each bin in a ring; one more row takes what a batch itself makes outdated.
        self.losses = torch.zeros(self.n_bins + 1, config.history)
        self.counts = torch.zeros(self.n_bins, dtype=torch.int64)

    def to(self, device: torch.device) -> Self:
        """Move to a device."""
        for name in ("bin_of", "losses", "counts"):
            setattr(self, name, getattr(self, name).to(device))
        return self

    def probabilities(self) -> Tensor:
        """Return p(t), (T,)."""
        uniform = torch.full((self.steps,), 1.0 / self.steps, device=self.losses.device)
        if not self.importance:
            return uniform
        size = self.losses[:-1].square().mean(dim=1).sqrt()[self.bin_of]
        by_size = (1.0 - _UNIFORM_SHARE) * size / size.sum() + _UNIFORM_SHARE / self.steps
        return torch.where(self.counts.min() >= self.history, by_size, uniform)

    def sample(self, uniforms: Tensor) -> tuple[Tensor, Tensor]:
        """Return a step for each number between 0 and 1, and its weight 1/(T p(t))."""
        p = self.probabilities()
        edges = p.cumsum(0)
        t = torch.searchsorted(edges, uniforms * edges[-1], right=True).clamp(max=self.steps - 1)
        return t, 1.0 / (self.steps * p[t])

    def update(self, t: Tensor, losses: Tensor) -> None:
        """Keep the newest unweighted losses of each history."""
        own = self.bin_of[t]
        same = own.unsqueeze(1) == own  # (B, B)
        earlier, later = same.tril(-1).sum(1), same.triu(1).sum(1)
        row = torch.where(later < self.history, own, self.n_bins)
        self.losses[row, (self.counts[own] + earlier) % self.history] = losses.to(self.losses.dtype)
        self.counts.index_add_(0, own, torch.ones_like(own))

    def state_dict(self) -> dict[str, Tensor]:
        """Return what exact resumption needs."""
        return {"losses": self.losses[:-1].clone(), "counts": self.counts.clone()}

    def load_state_dict(self, state: Mapping[str, Tensor]) -> None:
        """Take up where ``state_dict`` was made."""
        self.losses[:-1] = state["losses"].to(self.losses.device)
        self.counts[:] = state["counts"].to(self.counts.device)


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
    batch: TokenBatch,
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


class DiffusionObjective(nn.Module):
    """The loss as a module of its own: several processes can share only what goes through ``forward``."""

    def __init__(self, denoiser: Denoiser, diffusion: Diffusion, config: DiffusionConfig) -> None:
        super().__init__()
        self.denoiser = denoiser
        self._diffusion = diffusion
        self._config = config

    def forward(self, batch: TokenBatch, t: Tensor, start_noise: Tensor, noise: Tensor) -> Tensor:
        """Return the total loss of each sample, (B,)."""
        return diffusion_loss(
            self.denoiser, self._diffusion, self._config, batch, t, start_noise, noise
        ).total


def _counted(batch: TokenBatch, config: DiffusionConfig) -> Tensor:
    """Return which positions count in the squared error, (B, L)."""
    counted = torch.ones_like(batch.noised)
    if not config.count_sentence:
        counted = counted & batch.noised
    if not config.count_padding:
        counted = counted & ~batch.padding
    return counted

"""Which step t to train on: uniform, or more often where the loss is large; all of it on the device."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

import torch
from torch import Tensor

from scandl.models.diffusion.settings import DiffusionConfig

_UNIFORM_SHARE = 0.001


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

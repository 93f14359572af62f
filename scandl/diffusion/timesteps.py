"""Which step t to train on: uniform, or more often where the loss is large."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scandl.diffusion.settings import DiffusionConfig

_UNIFORM_SHARE = 0.001


class TimestepSampler:
    """Draws t with probability ∝ √E[loss²] and gives the weights that undo the bias.

    Nichol & Dhariwal (2021). Until every history is full t is uniform and the weights are 1.
    Steps may share histories in bins, because a small batch fills one history per step only late.
    """

    def __init__(self, config: DiffusionConfig) -> None:
        self.steps = config.steps
        self.importance = config.timesteps == "second-moment"
        n_bins = min(config.bins or config.steps, config.steps)
        self.bin_of = np.arange(config.steps) * n_bins // config.steps  # (T,)
        self.losses = np.zeros((n_bins, config.history))
        self.counts = np.zeros(n_bins, dtype=np.int64)

    def probabilities(self) -> NDArray[np.float64]:
        """Return p(t), (T,)."""
        if not self.importance or (self.counts < self.losses.shape[1]).any():
            return np.full(self.steps, 1.0 / self.steps)
        size = np.sqrt((self.losses**2).mean(axis=1))[self.bin_of]
        return (1.0 - _UNIFORM_SHARE) * size / size.sum() + _UNIFORM_SHARE / self.steps

    def sample(self, n: int, rng: np.random.Generator) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return n steps and their weights 1/(T p(t))."""
        p = self.probabilities()
        t = rng.choice(self.steps, size=n, p=p)
        return t, 1.0 / (self.steps * p[t])

    def update(self, t: NDArray[np.int64], losses: NDArray[np.float64]) -> None:
        """Keep the newest unweighted losses of each history."""
        for b, loss in zip(self.bin_of[t], losses, strict=True):
            self.losses[b] = np.roll(self.losses[b], -1)
            self.losses[b, -1] = loss
            self.counts[b] += 1

    def state_dict(self) -> dict[str, Any]:
        """Return what exact resumption needs."""
        return {"losses": self.losses.copy(), "counts": self.counts.copy()}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Take up where ``state_dict`` was made."""
        self.losses[:] = state["losses"]
        self.counts[:] = state["counts"]

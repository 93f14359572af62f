"""The constants of a diffusion process in the paper's symbols, computed once in float64."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from scandl.models.diffusion.respacing import respaced_betas
from scandl.models.diffusion.schedules import Betas, alpha_bar, betas


@dataclass(frozen=True)
class Process:
    """How much noise each step adds, and what follows from it; steps are counted 0..T-1."""

    beta: Betas  # (T,)
    trained_steps: tuple[int, ...]  # the step the network was trained to know each of ours by

    @classmethod
    def named(cls, schedule: str, steps: int) -> Self:
        """Return the process a model is trained with."""
        return cls(betas(schedule, steps), tuple(range(steps)))

    def respaced(self, steps: Sequence[int]) -> Self:
        """Return the process on fewer steps, with the same noise level at each of them."""
        return type(self)(respaced_betas(self.beta, steps), tuple(self.trained_steps[s] for s in steps))

    @property
    def steps(self) -> int:
        """T, the number of steps."""
        return len(self.beta)

    @cached_property
    def alpha_bar(self) -> Betas:
        """Share of variance that is signal, (T,)."""
        return alpha_bar(self.beta)

    @cached_property
    def alpha_bar_prev(self) -> Betas:
        """The same one step earlier; 1 before the first."""
        return np.concatenate([[1.0], self.alpha_bar[:-1]])

    @cached_property
    def posterior(self) -> tuple[Betas, Betas, Betas]:
        """c0, c1 and the variance of q(z_{t-1} | z_t, z_0) = N(c0 z_0 + c1 z_t, variance)."""
        left = 1.0 - self.alpha_bar
        c0 = self.beta * np.sqrt(self.alpha_bar_prev) / left
        c1 = (1.0 - self.alpha_bar_prev) * np.sqrt(1.0 - self.beta) / left
        return c0, c1, self.beta * (1.0 - self.alpha_bar_prev) / left

    def start_std(self) -> float:
        """Return the noise that separates z_0 from the embedding E(x)."""
        return float(np.sqrt(1.0 - self.alpha_bar[0]))

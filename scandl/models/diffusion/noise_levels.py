"""Noise levels: the schedules, fewer steps at test time, and the constants of a process.

Steps are counted 0..T-1. ``alpha_bar`` is how much of the signal is left at each. The five schedules are
those of the released code; where the paper prints another formula, the released one produced the published
numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from scandl.errors import ConfigError
from scandl.extras import Registry

Betas = NDArray[np.float64]

SCHEDULES: Registry[Callable[[int], Betas]] = Registry("noise schedule")
LARGEST_BETA = 0.999


def betas(schedule: str, steps: int) -> Betas:
    """Return beta_0..beta_{T-1} of a named schedule.

    >>> betas("sqrt", 4).round(3)
    array([0.495, 0.414, 0.543, 0.999])
    """
    if steps < 2:
        raise ConfigError(f"diffusion steps: found {steps}, expected at least 2")
    beta = SCHEDULES[schedule](steps)
    if beta.max() > 1.0:  # the linear ones grow as the steps get fewer
        raise ConfigError(
            f"noise schedule {schedule!r} in {steps} steps: found betas up to {beta.max():.2f},"
            " expected at most 1: take more steps"
        )
    return beta


def alpha_bar(beta: Betas) -> Betas:
    """Return the cumulative product of 1 - beta: the share of variance that is signal.

    >>> alpha_bar(np.array([0.5, 0.5]))
    array([0.5 , 0.25])
    """
    return np.cumprod(1.0 - beta, dtype=np.float64)


def from_signal(g: Callable[[float], float], steps: int) -> Betas:
    """Return betas with alpha_bar[i] = g((i + 1)/T) / g(0), until the clip."""
    level = np.array([g(u) for u in np.linspace(0.0, 1.0, steps + 1)])  # (T + 1,)
    return np.minimum(1.0 - level[1:] / level[:-1], LARGEST_BETA)  # (T,)


@SCHEDULES.register("sqrt")
def sqrt(steps: int) -> Betas:
    """Lose signal fast at first: g(u) = 1 - sqrt(u + 0.0001)."""
    return from_signal(lambda u: 1.0 - math.sqrt(u + 1e-4), steps)


@SCHEDULES.register("cosine")
def cosine(steps: int) -> Betas:
    """Lose signal slowly at both ends: g(u) = cos²((u + 0.008)/1.008 · π/2)."""
    return from_signal(lambda u: math.cos((u + 0.008) / 1.008 * math.pi / 2) ** 2, steps)


@SCHEDULES.register("linear")
def linear(steps: int) -> Betas:
    """Let beta grow linearly from 1e-4 to 0.02, scaled to the number of steps."""
    scale = 1000 / steps
    return np.linspace(1e-4 * scale, 0.02 * scale, steps)


@SCHEDULES.register("trunc_cos")
def trunc_cos(steps: int) -> Betas:
    """Use a cosine that starts at 0.1 of its range, in the left form: beta_0 = 1 - g(0)."""

    def g(u: float) -> float:
        return math.cos((u + 0.1) / 1.1 * math.pi / 2) ** 2

    level = np.array([g(i / steps) for i in range(steps)])  # (T,)
    return 1.0 - level / np.concatenate([[1.0], level[:-1]])


@SCHEDULES.register("trunc_lin")
def trunc_lin(steps: int) -> Betas:
    """Use the linear schedule with every beta larger by 0.01."""
    return linear(steps) + 0.01


def grid(trained: int, steps: int) -> list[int]:
    """Return K steps of 0..T-1, evenly spaced, both ends included.

    >>> grid(2000, 10)
    [0, 222, 444, 666, 888, 1111, 1333, 1555, 1777, 1999]
    """
    if not 2 <= steps <= trained:
        raise ConfigError(f"sampling steps: found {steps}, expected 2..{trained}")
    return [round(step) for step in np.linspace(0, trained - 1, steps).tolist()]


def respaced_betas(beta: Betas, steps: Sequence[int]) -> Betas:
    """Return betas on the grid such that alpha_bar there is what the model was trained with.

    >>> b = np.array([0.1, 0.2, 0.3])
    >>> bool(np.allclose(respaced_betas(b, [0, 1, 2]), b))
    True
    """
    kept = alpha_bar(beta)[list(steps)]
    return 1.0 - kept / np.concatenate([[1.0], kept[:-1]])


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

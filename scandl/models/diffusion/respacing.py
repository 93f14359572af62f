"""Fewer steps at test time: a grid on the trained steps, and the betas that belong to it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scandl.errors import ConfigError
from scandl.models.diffusion.schedules import Betas, alpha_bar


def grid(trained: int, steps: int, *, late: float = 1.0) -> list[int]:
    """Return K steps of 0..T-1, both ends included.

    ``late = 1`` spaces them evenly. A larger value crowds them at high noise, where the ids are
    decided: the distance from T-1 grows as the power ``late``.

    >>> grid(2000, 10)
    [0, 222, 444, 666, 888, 1111, 1333, 1555, 1777, 1999]
    >>> grid(2000, 5, late=2)
    [0, 875, 1499, 1874, 1999]
    """
    if not 2 <= steps <= trained:
        raise ConfigError(f"sampling steps: found {steps}, expected 2..{trained}")
    share = np.linspace(1.0, 0.0, steps) ** late  # how far below T-1, from all the way to nothing
    chosen = np.round((trained - 1) * (1.0 - share)).astype(int)
    # A crowded end may round several steps to one; push them apart, into 0..T-1.
    chosen = np.maximum(chosen, np.arange(steps))
    for i in range(steps - 2, -1, -1):
        chosen[i] = min(chosen[i], chosen[i + 1] - 1)
    return [int(step) for step in chosen]


def respaced_betas(beta: Betas, steps: Sequence[int]) -> Betas:
    """Return betas on the grid such that alpha_bar there is what the model was trained with.

    >>> b = np.array([0.1, 0.2, 0.3])
    >>> bool(np.allclose(respaced_betas(b, [0, 1, 2]), b))
    True
    """
    kept = alpha_bar(beta)[list(steps)]
    return 1.0 - kept / np.concatenate([[1.0], kept[:-1]])

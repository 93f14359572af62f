"""Coordinates in which deviations are easy to sample: for their logarithms, and for the effects they spread.

Where data cannot tell a deviation from 0, the posterior of its logarithm falls off to the left like an
exponential and not like a normal density: a sampler walks along that tail for long. Bent by a parabola,
the tail has the length of a normal one. And where a deviation is small, so are the effects of its group:
stretched by what is known of their spread given the deviation, they are told apart from it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numba import njit

from scandl_analysis.glm.kernels import Floats, Integers

_LEFT = 4.0
"""How far to the left the tail is looked at: a deviation e⁴ times smaller than the most likely."""


@dataclass(frozen=True)
class Bending:
    """The map x ↦ x − c/2 · log(1 + exp(−x/s − 1))², for each hyper-parameter its own c and s.

    >>> straight = Bending(np.zeros(1), np.ones(1))
    >>> straight.bent(np.array([-3.0])), Bending(np.ones(1), np.ones(1)).bent(np.array([-3.0])).round(2)
    (array([-3.]), array([-5.26]))
    """

    c: Floats  # (q,), 0 where nothing is bent
    s: Floats  # (q,) spread of the straight coordinate

    @classmethod
    def of(cls, negative_log_density: Callable[[Floats], float], mode: Floats, s: Floats, n: int) -> Bending:
        """Return the bending of the first ``n`` hyper-parameters that makes their left tails normal.

        At e⁻⁴ times the mode the bent coordinate is as many spreads from it as the density says.
        """
        c = np.zeros(len(mode))
        here = negative_log_density(mode) if n else 0.0
        for k in range(n):
            moved = mode.copy()
            moved[k] -= _LEFT
            z = np.sqrt(2 * max(negative_log_density(moved) - here, 0.5))
            c[k] = max(2 * (_LEFT - s[k] * z) / np.logaddexp(0.0, z - 1) ** 2, 0.0)
        return cls(c, s)

    def bent(self, x: Floats) -> Floats:
        """Return the image of straight coordinates, which stand in the last axis."""
        return np.asarray(x - 0.5 * self.c * np.logaddexp(0.0, -x / self.s - 1) ** 2)

    def slopes(self, x: Floats) -> tuple[Floats, Floats]:
        """Return the first derivative, and that of its logarithm."""
        soft = np.logaddexp(0.0, -x / self.s - 1)
        share = -np.expm1(-soft)  # the derivative of the soft maximum
        first = 1 + self.c / self.s * soft * share
        second = -self.c / self.s**2 * share * (share + soft * (1 - share))
        return np.asarray(first), np.asarray(second / first)


@njit(cache=True, fastmath=True)  # type: ignore[untyped-decorator]
def stretch_into(moved: Floats, pull: Floats, group: Integers, stretch: Floats, log_stretch: Floats) -> None:
    """Write the spread of each effect given σ, over the one given σ̂, and add the logarithms of each point's.

    ``moved`` is log σ/σ̂ of each group (point, group) and ``pull`` wσ̂² of each group effect. The effects
    before those of groups are common ones: their spread does not change.
    """
    first = stretch.shape[1] - group.size
    ratio = np.exp(moved)
    for point in range(stretch.shape[0]):
        stretch[point, :first] = 1.0
        for i in range(group.size):
            r = ratio[point, group[i]]
            t = r * math.sqrt((1.0 + pull[i]) / (1.0 + pull[i] * r * r))
            stretch[point, first + i] = t
            log_stretch[point] += math.log(t)


@njit(cache=True, fastmath=True)  # type: ignore[untyped-decorator]
def add_by_deviation(
    moved: Floats, pull: Floats, group: Integers, by_log_stretch: Floats, by_moved: Floats
) -> None:
    """Add the derivatives by log σ that come from the stretch of the effects, and from its logarithm."""
    first = by_log_stretch.shape[1] - group.size
    ratio = np.exp(moved)
    for point in range(moved.shape[0]):
        for i in range(group.size):
            r, k = ratio[point, group[i]], group[i]
            share = 1.0 / (1.0 + pull[i] * r * r)  # the derivative of log t by log σ
            by_moved[point, k] += share * (1.0 + by_log_stretch[point, first + i])

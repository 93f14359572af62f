"""Coordinates in which deviations and effects are easy to sample.

Where data cannot tell a deviation from 0, the posterior of its logarithm falls off to the left like an
exponential and not like a normal density: a sampler walks along that tail for long. Bent by a parabola,
the tail has the length of a normal one.

Effects are made from standard normal coordinates, one group after the other, each following those before.
Given a deviation σ and the other effects, a group effect with information w has a precision of w + 1/σ².
With t its spread over the one at σ̂, and with what the effects before it ask of it, it is written
u = t (t (û + what it follows) + v): the spread of v does not depend on σ. For small σ that is the
non-centred form and for large σ the centred one, so neither end of σ is a funnel. Where outcomes have a
normal error it holds exactly for the leaves of the curvature, the tokens of words.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numba import njit
from scipy.linalg import solve_triangular

from scandl.statistics.bootstrap import Floats
from scandl_analysis.glm.arrow import Arrow, Rim, folded
from scandl_analysis.glm.design import Indices

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


@njit(cache=True, fastmath=True, error_model="numpy")  # type: ignore[untyped-decorator]
def stretch_into(moved: Floats, pull: Floats, group: Indices, stretch: Floats, log_stretch: Floats) -> None:
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


@njit(cache=True, fastmath=True, error_model="numpy")  # type: ignore[untyped-decorator]
def add_by_deviation(
    moved: Floats, pull: Floats, group: Indices, by_log_stretch: Floats, by_moved: Floats
) -> None:
    """Add the derivatives by log σ that come from the stretch of the effects, and from its logarithm."""
    first = by_log_stretch.shape[1] - group.size
    ratio = np.exp(moved)
    for point in range(moved.shape[0]):
        for i in range(group.size):
            r, k = ratio[point, group[i]], group[i]
            share = 1.0 / (1.0 + pull[i] * r * r)  # the derivative of log t by log σ
            by_moved[point, k] += share * (1.0 + by_log_stretch[point, first + i])


class Made(NamedTuple):
    """Effects (point, effect), and the part of each that is not its own: t (û + what it follows)."""

    effects: Floats
    lean: Floats


@dataclass(frozen=True)
class Cascade:
    """The order of the effects of an approximation: border from last to first, parents, children."""

    curvature: Arrow
    mode: Floats
    places: tuple[int, ...]  # where the groups of the border begin, 0 included

    def make(self, z: Floats, drift: Floats, stretch: Floats) -> Made:
        """Return effects from standard normal z, all (point, effect); ``drift`` is added to v."""
        effects, lean = np.empty_like(z), np.empty_like(z)
        k, m = self._size
        for stage in self._stages:
            v = z[:, stage.own] @ stage.root.T + drift[:, stage.own]
            after = (effects[:, stage.after] - self.mode[stage.after]) @ stage.follow.T
            _make(stage.own, v, after, self.mode, stretch, effects, lean)
        v = z[:, k:] / self._roots + drift[:, k:]
        asked = -folded(effects[:, :k] - self.mode[:k], self._down)
        parents, children = slice(k, k + m), slice(k + m, None)
        _make(parents, v[:, :m], asked[:, :m] / self._roots[:m], self.mode, stretch, effects, lean)
        if m:
            asked[:, m:] -= folded(effects[:, parents] - self.mode[parents], self.curvature.leaves.unfold)
        _make(children, v[:, m:], asked[:, m:] / self._roots[m:], self.mode, stretch, effects, lean)
        return Made(effects, lean)

    def unmade(self, effects: Floats, stretch: Floats) -> Floats:
        """Return v of one vector of effects."""
        k, m = self._size
        dev = effects - self.mode
        follow = np.zeros_like(effects)
        for stage in self._stages:
            follow[stage.own] = stage.follow @ dev[stage.after]
        asked = -folded(dev[:k], self._down)
        if m:
            asked[m:] -= folded(dev[k : k + m], self.curvature.leaves.unfold)
        follow[k:] = asked / self._roots
        return np.asarray(effects / stretch - stretch * (self.mode + follow))

    def pull_back(self, gradients: Floats, stretch: Floats) -> tuple[Floats, Floats]:
        """Return gradients by z and by v, and leave in ``gradients`` those by the effects made.

        What comes in are derivatives with all other effects held; what is left has those that follow too.
        """
        k, m = self._size
        asking = np.empty_like(gradients[:, k:])
        asking[:, m:] = (stretch[:, k + m :] ** 2 * gradients[:, k + m :]) / self._roots[m:]
        if m:
            gradients[:, k : k + m] -= folded(asking[:, m:], self.curvature.leaves.fold)
            asking[:, :m] = (stretch[:, k : k + m] ** 2 * gradients[:, k : k + m]) / self._roots[:m]
        gradients[:, :k] -= folded(asking, self.curvature.scaled_rim)
        for stage in reversed(self._stages):
            by_follow = stretch[:, stage.own] ** 2 * gradients[:, stage.own]
            gradients[:, stage.after] += by_follow @ stage.follow
        by_v = stretch * gradients
        by_z = np.empty_like(by_v)
        for stage in self._stages:
            by_z[:, stage.own] = by_v[:, stage.own] @ stage.root
        by_z[:, k:] = by_v[:, k:] / self._roots
        return by_z, by_v

    @property
    def _size(self) -> tuple[int, int]:
        return len(self.curvature.border), len(self.curvature.leaves.parents)

    @cached_property
    def _roots(self) -> Floats:
        return np.asarray(np.sqrt(self.curvature.leaves.pivots))

    @cached_property
    def _down(self) -> Rim:
        return self.curvature.transposed_rim

    @cached_property
    def _stages(self) -> list[_CascadeStage]:
        k = len(self.curvature.border)
        ends = [*self.places[1:], k]
        root = self.curvature.root
        stages = []
        for start, end in reversed(list(zip(self.places, ends, strict=True))):
            own = slice(start, end)
            inverse = solve_triangular(root[own, own], np.eye(end - start), lower=True).T
            stages.append(_CascadeStage(own, slice(end, k), inverse, -inverse @ root[end:, own].T))
        return stages


class _CascadeStage(NamedTuple):
    """One group of the border given those behind it: Lᵀ b = z, solved for its own part."""

    own: slice
    after: slice
    root: Floats
    follow: Floats


def _make(
    own: slice, v: Floats, follow: Floats, mode: Floats, stretch: Floats, effects: Floats, lean: Floats
) -> None:
    t = stretch[:, own]
    lean[:, own] = t * (mode[own] + follow)
    effects[:, own] = t * (lean[:, own] + v)

"""The Laplace approximation: mode and curvature of a posterior, and the coordinates they make round.

With group intercepts the joint mode does not exist (the density grows without bound as a deviation
goes to 0), so the effects are integrated out by Laplace's method and the resulting marginal density of
the few hyper-parameters is maximised instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import LinAlgError, eigh
from scipy.optimize import minimize

from scandl_analysis.glm.arrow import Arrow
from scandl_analysis.glm.design import NotEstimableError
from scandl_analysis.glm.kernels import Floats, stretch_into, unstretch
from scandl_analysis.glm.posterior import Posterior

_SEPARATED = 30.0
"""A linear predictor beyond this is no estimate: odds of 10^13 mean that the mode lies at infinity."""

_STEP = 0.05
"""Step of the numerical derivatives by the hyper-parameters, which are logarithms."""


@dataclass(frozen=True)
class Laplace:
    """A posterior with its approximation, in coordinates where it is nearly standard normal.

    Each group effect is written u = (σ/σ̂)^c v with c = 1/(1 + wσ̂²), w the information about it:
    1 for an effect the data say nothing of (the non-centred form), 0 for one they determine (the
    centred form). The spread of v then does not depend on σ, to first order.
    """

    posterior: Posterior
    hyper: Floats
    effects: Floats
    curvature: Arrow
    hyper_root: Floats  # (q, q): hyper = mode + root @ z
    drift: Floats  # (q, d): how the mode of v moves with the hyper-parameters
    shrinkage: Floats  # (d,): c of each effect, 0 for the common ones
    log_marginal: float

    @property
    def n_dim(self) -> int:
        """The number of coordinates."""
        return len(self.hyper) + len(self.effects)

    def parameters(self, z: Floats) -> tuple[Floats, Floats]:
        """Return hyper-parameters and effects at whitened points; points stand in the last axis."""
        moved = z[..., : len(self.hyper)] @ self.hyper_root.T
        v = self.effects + moved @ self.drift + self.curvature.colour(z[..., len(self.hyper) :])
        return self.hyper + moved, v * np.exp(self._shrunk(moved))

    def value_and_gradient(self, z: Floats) -> tuple[float, Floats]:
        """Return the exact log posterior density in whitened coordinates, and its gradient."""
        q, group = len(self.hyper), self.posterior.group_of
        moved = self.hyper_root @ z[:q]
        effects = self.effects + moved @ self.drift + self.curvature.colour(z[q:])
        stretch = np.empty(len(effects))
        stretch_into(effects, moved, self.shrinkage, group, stretch)
        value, by_hyper, gradient = self.posterior.value_and_gradient(self.hyper + moved, effects)
        unstretch(effects, stretch, self.shrinkage, group, gradient, by_hyper)
        by_z = self.hyper_root.T @ (by_hyper + self.drift @ gradient)
        value += float(self._jacobian @ moved)
        return value, np.concatenate([by_z, self.curvature.whiten(gradient)])

    @cached_property
    def _jacobian(self) -> Floats:
        """The derivative of the logarithm of Π (σ/σ̂)^c by each hyper-parameter."""
        post = self.posterior
        return np.bincount(post.group_of, self.shrinkage[post.n_common :], len(self.hyper)).astype(float)

    def _shrunk(self, moved: Floats) -> Floats:
        """Return the logarithm of (σ/σ̂)^c for each effect."""
        if not self.posterior.n_groups:
            return np.zeros_like(self.shrinkage)
        # Common effects have a shrinkage of 0, so it does not matter that they borrow a group's index.
        return np.asarray(moved[..., self.posterior.group_index] * self.shrinkage)


def approximate(posterior: Posterior) -> Laplace:
    """Find the mode of the hyper-parameters' Laplace marginal and the curvature around it."""
    search = _Search(posterior)
    start = np.concatenate(
        [np.full(posterior.n_groups, -1.0), np.full(posterior.n_hyper - posterior.n_groups, 1.0)]
    )
    hyper = start
    if posterior.n_hyper:
        found = minimize(search.negative_marginal, start, method="BFGS", options={"gtol": 1e-2, "eps": 1e-4})
        hyper = np.asarray(found.x)
    mode = search.mode(hyper)
    curvature = posterior.curvature(hyper, mode)
    shrinkage = _shrinkage(posterior, hyper, curvature)
    root = _root_of_inverse(_second_differences(search.negative_marginal, hyper))
    drift = (
        np.stack([search.drift(hyper, k, shrinkage) for k in range(len(hyper))])
        if len(hyper)
        else np.zeros((0, len(mode)))
    )
    return Laplace(
        posterior, hyper, mode, curvature, root, drift, shrinkage, -search.negative_marginal(hyper)
    )


class _Search:
    """Modes of the effects given hyper-parameters; each search starts where the last one ended."""

    def __init__(self, posterior: Posterior) -> None:
        self._posterior = posterior
        self._last = np.zeros(posterior.n_effects)

    def negative_marginal(self, hyper: Floats) -> float:
        """Return minus the log density of the hyper-parameters, effects integrated out."""
        if np.any(np.abs(hyper) > 12):
            return 1e10  # a deviation of e±12: the line search overshot
        effects = self.mode(hyper)
        value, _, _ = self._posterior.value_and_gradient(hyper, effects)
        return 0.5 * self._posterior.curvature(hyper, effects).log_determinant - value

    def mode(self, hyper: Floats) -> Floats:
        """Return the effects' mode by Newton's method with step halving."""
        effects = self._last
        value, _, gradient = self._posterior.value_and_gradient(hyper, effects)
        for _ in range(60):
            try:
                step = self._posterior.curvature(hyper, effects).solve(gradient)
            except LinAlgError:
                break
            gain = float(step @ gradient)
            if not np.isfinite(gain):
                break
            if gain < 1e-9:
                self._last = effects
                return effects
            size = 1.0
            while size > 1e-6:
                trial = effects + size * step
                new_value, _, new_gradient = self._posterior.value_and_gradient(hyper, trial)
                if new_value >= value - 1e-9:
                    break
                size /= 2
            effects, value, gradient = trial, new_value, new_gradient
            if np.abs(self._posterior.columns.predict(effects)).max() > _SEPARATED:
                break
        raise NotEstimableError("not estimable: the predictors separate the outcomes perfectly")

    def drift(self, hyper: Floats, k: int, shrinkage: Floats) -> Floats:
        """Return the derivative of the mode of v by hyper-parameter ``k``."""
        ends = []
        for sign in (1.0, -1.0):
            moved = hyper.copy()
            moved[k] += sign * _STEP
            effects = self.mode(moved)
            if k < self._posterior.n_groups:
                own = np.zeros(len(effects))
                own[self._posterior.n_common :] = self._posterior.group_of == k
                effects = effects * np.exp(-sign * _STEP * shrinkage * own)
            ends.append(effects)
        return np.asarray((ends[0] - ends[1]) / (2 * _STEP))


def _shrinkage(posterior: Posterior, hyper: Floats, curvature: Arrow) -> Floats:
    """Return 1 / (1 + wσ²) of each group effect: the share of the prior in its precision."""
    precision = np.concatenate([np.diag(curvature.border), curvature.leaves])
    prior = np.zeros(posterior.n_effects)
    if posterior.n_groups:
        prior[posterior.n_common :] = np.exp(-2 * hyper[: posterior.n_groups])[posterior.group_of]
    return np.asarray(prior / precision)


def _second_differences(function: object, at: Floats) -> Floats:
    """Return the matrix of second derivatives of a function of few variables."""
    assert callable(function)
    q = len(at)
    steps = np.eye(q) * 2 * _STEP
    out = np.empty((q, q))
    centre = function(at) if q else 0.0
    for i in range(q):
        for j in range(i, q):
            if i == j:
                second = function(at + steps[i]) - 2 * centre + function(at - steps[i])
                out[i, i] = second / (2 * _STEP) ** 2
            else:
                corners = [
                    s * t * function(at + s * steps[i] + t * steps[j]) for s in (1, -1) for t in (1, -1)
                ]
                out[i, j] = out[j, i] = sum(corners) / (4 * (2 * _STEP) ** 2)
    return out


def _root_of_inverse(matrix: Floats) -> Floats:
    """Return R with R Rᵀ = matrix⁻¹; directions that are nearly flat get a spread of at most 1."""
    if not len(matrix):
        return matrix
    values, vectors = eigh(matrix)
    return np.asarray(vectors / np.sqrt(np.maximum(values, 1.0)))

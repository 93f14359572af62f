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

from scandl.statistics.bootstrap import Floats
from scandl_analysis.glm.arrow import Arrow
from scandl_analysis.glm.design import SEPARATED, NotEstimableError
from scandl_analysis.glm.posterior import Posterior
from scandl_analysis.glm.whitening import Bending, Cascade, Made, add_by_deviation, stretch_into

_FARTHEST = 300.0
"""A linear predictor beyond this is a search that ran away: the mode lies at infinity."""

_LARGE = 10.0
"""Effects from which on that is looked at."""

_NEAR = 1e-11
"""What a step gains where it leads to the mode."""
_NEAR_NORMAL = 1e-7
"""The same of a normal error, whose Newton step is exact but for rounding of sums over many words."""

_SLOW = 0.1
"""Share of the last step's gain from which on a curvature no longer fits."""

_STEP = 0.05
"""Step of the numerical derivatives by the hyper-parameters, which are logarithms."""


@dataclass(frozen=True)
class Laplace:
    """A posterior with its approximation, in coordinates where it is nearly standard normal.

    Effects are made group by group, see ``cascade``, so that none of their spreads depends on a deviation.
    Logarithms of deviations that may be 0 are bent, see ``bending``.
    """

    posterior: Posterior
    hyper: Floats
    effects: Floats
    curvature: Arrow
    hyper_root: Floats  # (q, q): hyper = mode + root @ z
    drift: Floats  # (q, d): how the mode of v moves with the hyper-parameters
    pull: Floats  # wσ̂² of each group effect
    bending: Bending  # of the hyper-parameters that may be −∞

    @property
    def n_dim(self) -> int:
        """The number of coordinates."""
        return len(self.hyper) + len(self.effects)

    @cached_property
    def cascade(self) -> Cascade:
        """The order in which effects are made."""
        return _cascade(self.posterior, self.effects, self.curvature)

    def parameters(self, z: Floats) -> tuple[Floats, Floats]:
        """Return hyper-parameters and effects at whitened points; points stand in the last axis."""
        moved, _, _, made = self._made(z.reshape(-1, self.n_dim))
        shape = z.shape[:-1]
        return (self.hyper + moved).reshape(*shape, -1), made.effects.reshape(*shape, -1)

    def values_and_gradients(self, z: Floats) -> tuple[Floats, Floats]:
        """Return the exact log posterior density in whitened coordinates, and its gradient.

        The points (point, coordinate) share the work of whitening.
        """
        moved, bend, by_straight, made = self._made(z)
        stretch, values = self._stretch(moved)
        values += np.log(bend).sum(axis=1)
        gradients, by_moved = np.empty_like(made.effects), np.empty_like(moved)
        for k, effects in enumerate(made.effects):
            value, by_moved[k], gradients[k] = self.posterior.value_and_gradient(
                self.hyper + moved[k], effects
            )
            values[k] += value
        by_z, by_v = self.cascade.pull_back(gradients, stretch)
        by_log_stretch = gradients * (made.effects + stretch * made.lean)
        add_by_deviation(moved, self.pull, self.posterior.group_of, by_log_stretch, by_moved)
        by_straight += bend * by_moved + by_v @ self.drift.T
        return values, np.concatenate([by_straight @ self.hyper_root, by_z], axis=1)

    def _made(self, z: Floats) -> tuple[Floats, Floats, Floats, Made]:
        """Return how far deviations are from their mode, the bend's slopes there, and the effects."""
        q = len(self.hyper)
        straight = z[:, :q] @ self.hyper_root.T
        moved = self.bending.bent(straight)
        made = self.cascade.make(z[:, q:], straight @ self.drift, self._stretch(moved)[0])
        return moved, *self.bending.slopes(straight), made

    def _stretch(self, moved: Floats) -> tuple[Floats, Floats]:
        """Return the spread of each effect, over the one at the mode, and the sums of their logarithms."""
        return _stretch(self.posterior, moved, self.pull)


def approximate(posterior: Posterior) -> Laplace:
    """Find the mode of the hyper-parameters' Laplace marginal and the curvature around it."""
    search = _Search(posterior)
    start = _start(posterior)
    hyper = start
    if posterior.n_hyper:
        minimum = minimize(
            search.negative_marginal, start, method="BFGS", options={"gtol": 1e-2, "eps": 1e-4}
        )
        hyper = np.asarray(minimum.x)
    mode = search.mode(hyper)
    curvature = posterior.curvature(hyper, mode)
    pull = _pull(posterior, hyper, curvature)
    cascade = _cascade(posterior, mode, curvature)
    root = _root_of_inverse(_second_differences(search.negative_marginal, hyper))
    drift = (
        np.stack([search.drift(hyper, cascade, k, pull) for k in range(len(hyper))])
        if len(hyper)
        else np.zeros((0, len(mode)))
    )
    spread = np.sqrt((root**2).sum(axis=1))
    bending = Bending.of(search.negative_marginal, hyper, spread, posterior.n_groups)
    return Laplace(posterior, hyper, mode, curvature, root, drift, pull, bending)


def _start(posterior: Posterior) -> Floats:
    """Return deviations to begin with; those of a normal error are in the unit of the outcome."""
    n_shapes = posterior.n_hyper - posterior.n_groups
    if not posterior.is_normal:
        return np.concatenate([np.full(posterior.n_groups, -1.0), np.full(n_shapes, 1.0)])
    unit = float(np.log(max(posterior.design.outcome.std(), 1e-6)))
    return np.concatenate([np.full(posterior.n_groups, unit - 1.0), np.full(n_shapes, unit)])


class _Search:
    """Modes of the effects given hyper-parameters; each search starts where the last one ended."""

    def __init__(self, posterior: Posterior) -> None:
        self._posterior = posterior
        self._last = np.zeros(posterior.n_effects)
        self._curvature: Arrow | None = None  # near the last mode, factorised
        self._found = 0  # modes so far

    def negative_marginal(self, hyper: Floats) -> float:
        """Return minus the log density of the hyper-parameters, effects integrated out."""
        if np.any(np.abs(hyper) > 12):
            return 1e10  # a deviation of e±12: the line search overshot
        try:
            effects = self.mode(hyper)
        except NotEstimableError:
            if self._posterior.priors.shape is None or self._found == 0:
                raise
            return 1e10  # the line search overshot: linear predictors grow with the shape
        self._found += 1
        value, _, _ = self._posterior.value_and_gradient(hyper, effects)
        self._curvature = self._posterior.curvature(hyper, effects)
        return 0.5 * self._curvature.log_determinant - value

    def mode(self, hyper: Floats) -> Floats:
        """Return the effects' mode by Newton's method with step halving.

        A curvature costs ten gradients, its factorisation more, so the last one serves as long as its steps
        come near the mode quickly, also where the hyper-parameters have moved a little since.
        """
        effects, curvature = self._last, self._curvature
        value, _, gradient = self._posterior.value_and_gradient(hyper, effects)
        before = np.inf
        for _ in range(60):
            try:
                curvature = curvature or self._posterior.curvature(hyper, effects)
                step = curvature.solve(gradient)
            except LinAlgError:
                break
            gain = float(step @ gradient)
            if not np.isfinite(gain):
                break
            if gain < (_NEAR_NORMAL if self._posterior.is_normal else _NEAR):
                self._last, self._curvature = effects + step, curvature
                return self._last
            size = 1.0
            while size > 1e-6:
                trial = effects + size * step
                with np.errstate(over="ignore", invalid="ignore"):  # a step as far as that is halved
                    new_value, _, new_gradient = self._posterior.value_and_gradient(hyper, trial)
                if new_value >= value - 1e-9:
                    break
                size /= 2
            effects, value, gradient = trial, new_value, new_gradient
            if size < 1 or gain > _SLOW * before:
                curvature = None
            before = gain
            if self._posterior.is_normal:
                if size <= 1e-6:  # rounding is all that is left
                    self._last, self._curvature = effects, curvature
                    return effects
            elif self._ran_away(effects):
                break
        raise NotEstimableError(
            "not estimable: no mode was found" if self._posterior.is_normal else SEPARATED
        )

    def _ran_away(self, effects: Floats) -> bool:
        # Linear predictors cost as much as a gradient, and small effects make none that are large.
        large = np.abs(effects).max() > _LARGE
        return bool(large and np.abs(self._posterior.columns.predict(effects)).max() > _FARTHEST)

    def drift(self, hyper: Floats, cascade: Cascade, k: int, pull: Floats) -> Floats:
        """Return the derivative of the mode of v by hyper-parameter ``k``."""
        ends = []
        for step in (_STEP, -_STEP):
            moved = np.zeros((1, len(hyper)))
            moved[0, k] = step
            stretch = _stretch(self._posterior, moved, pull)[0][0]
            ends.append(cascade.unmade(self.mode(hyper + moved[0]), stretch))
        return np.asarray((ends[0] - ends[1]) / (2 * _STEP))


def _pull(posterior: Posterior, hyper: Floats, curvature: Arrow) -> Floats:
    """Return wσ² of each group effect: the precision from the data over the one from the prior.

    The data's is what its own coordinate has: with what comes before in the factorisation, the tokens of
    a sentence and the other effects of a reader, not fixed but following.
    """
    prior = np.exp(-2 * hyper)[posterior.group_of]
    return np.asarray(np.maximum(curvature.pivots[posterior.n_common :] / prior - 1, 0.0))


def _stretch(posterior: Posterior, moved: Floats, pull: Floats) -> tuple[Floats, Floats]:
    """Return the spread of each effect given σ, over the one given σ̂, and the sums of their logarithms.

    ``moved`` is how far the hyper-parameters are from σ̂, (point, hyper-parameter).
    """
    stretch, log_stretch = np.empty((len(moved), posterior.n_effects)), np.zeros(len(moved))
    stretch_into(moved, pull, posterior.group_of, stretch, log_stretch)
    return stretch, log_stretch


def _cascade(posterior: Posterior, mode: Floats, curvature: Arrow) -> Cascade:
    blocks = [block.place for block in posterior.columns.blocks]
    return Cascade(curvature, mode, (0, *(place for place in blocks if place < len(curvature.border))))


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
    """Return R with R Rᵀ = matrix⁻¹; directions that are nearly flat get a spread of at most 1.

    Of all roots the symmetric one is taken: signs and order of eigenvectors, which hang on rounding and
    so on the order of rows, do not matter to it.
    """
    if not len(matrix):
        return matrix
    values, vectors = eigh(matrix)
    return np.asarray(vectors / np.sqrt(np.maximum(values, 1.0)) @ vectors.T)

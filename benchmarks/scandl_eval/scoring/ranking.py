"""Who stands where, and how sure that is: rank intervals and ties, never a bare 1 … N."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scandl.statistics.bootstrap import interval, two_sided_p
from scandl.statistics.multiple_tests import holm
from scandl_eval.scoring.estimates import Joint

Array = NDArray[np.float64]
Loss = Callable[[Array], Array]
ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class Place:
    """The place of one model among those it is compared with."""

    rank: int
    rank_interval: tuple[int, int] | None  # holds 95 % of the ranks in draws of all values together
    value: float
    difference: float  # how much worse than the best
    difference_ci95: tuple[float, float] | None
    p_holm: float | None  # paired test against the best, Holm over all such comparisons
    tied_with_best: bool | None  # not separable from the best


def rank(joint: Joint, *, loss: Loss = np.positive, seed: int = 1) -> dict[str, Place]:
    """Rank models on the items all of them have, best first; ``loss`` says how bad a value is."""
    placed = places(joint, loss=loss, seed=seed)
    return dict(sorted(zip(joint.models, placed, strict=True), key=lambda pair: pair[1].rank))


def places(joint: Joint, *, loss: Loss = np.positive, seed: int = 1) -> list[Place]:
    """Return the place of each model, in the order of ``joint.models``."""
    losses = loss(joint.values)  # (models,)
    best = int(losses.argmin())
    ranks = ranks_of(losses[None, :])[0]
    if not joint.uncertainty.defined:
        return unsure_places(joint.values, loss=loss)
    draws = loss(joint.uncertainty.draws(joint.values, seed=seed))  # (n, models)
    spans = np.quantile(ranks_of(draws), [0.025, 0.975], axis=0, method="nearest").astype(int)  # (2, models)
    others = [k for k in range(len(losses)) if k != best]
    gaps = {k: _gap(joint, k, best, losses, draws) for k in others}
    p_holm = dict(zip(others, holm([gaps[k][1] for k in others]), strict=True))
    return [
        Place(
            rank=int(ranks[k]),
            rank_interval=(int(spans[0, k]), int(spans[1, k])),
            value=float(joint.values[k]),
            difference=float(losses[k] - losses[best]),
            difference_ci95=None if k == best else gaps[k][0],
            p_holm=p_holm.get(k),
            tied_with_best=k == best or p_holm[k] >= ALPHA,
        )
        for k in range(len(losses))
    ]


def unsure_places(values: Array, *, loss: Loss = np.positive) -> list[Place]:
    """Return ranks without intervals, where nothing can be said of how sure they are."""
    losses = loss(values)
    best = float(losses.min())
    return [
        Place(int(r), None, float(v), float(lost - best), None, None, None)
        for r, v, lost in zip(ranks_of(losses[None, :])[0], values, losses, strict=True)
    ]


def ranks_of(losses: Array) -> NDArray[np.intp]:
    """Return 1 + how many models lose less, in each row; equal losses share the better rank.

    >>> ranks_of(np.array([[0.5, 0.2, 0.5]]))
    array([[2, 1, 2]])
    """
    ranks: NDArray[np.intp] = 1 + (losses[:, :, None] > losses[:, None, :]).sum(axis=2)
    return ranks


def _gap(
    joint: Joint, k: int, best: int, losses: Array, draws: Array
) -> tuple[tuple[float, float] | None, float]:
    """Return interval and p-value of how much worse a model is than the best.

    Where a loss is the value or its negative this is the difference of two values. Where it is the
    distance to an ideal, as of diversity to 1, it is taken from draws.
    """
    found = joint.difference(joint.models[k], joint.models[best])
    for sign in (1.0, -1.0):
        if math.isclose(losses[k] - losses[best], sign * found.difference, abs_tol=1e-12) and _linear(
            joint.values, losses, sign
        ):
            ci95 = found.ci95 if found.ci95 is None or sign > 0 else (-found.ci95[1], -found.ci95[0])
            return ci95, 1.0 if found.p is None else found.p
    return interval(draws[:, k] - draws[:, best]), two_sided_p(draws[:, k] - draws[:, best])


def _linear(values: Sequence[float] | Array, losses: Array, sign: float) -> bool:
    return bool(np.allclose(losses, sign * np.asarray(values), rtol=0.0, atol=1e-12))

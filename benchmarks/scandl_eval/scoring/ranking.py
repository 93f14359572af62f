"""Who stands where, and how sure that is: rank intervals and ties, never a bare 1 … N."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scandl.errors import ScandlError
from scandl.statistics.bootstrap import bootstrap_means, holm, interval, resampleable, two_sided_p
from scandl_eval.metrics.score_table import Column, shared_items

Array = NDArray[np.float64]
ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class Place:
    """The place of one model among those it is compared with."""

    rank: int
    rank_interval: tuple[int, int] | None  # holds 95 % of the ranks in the resamples
    value: float
    difference: float  # how much worse than the best
    difference_ci95: tuple[float, float] | None
    p_holm: float | None  # paired bootstrap against the best, Holm over all such comparisons
    tied_with_best: bool | None  # not separable from the best


def rank(found: Mapping[str, Column], *, higher_is_better: bool = False, seed: int = 1) -> dict[str, Place]:
    """Rank models on the items all of them have, best first."""
    shared = shared_items(found.values())
    if not shared:
        raise ScandlError(f"the models {', '.join(found)} share no (fold, reader, sentence)")
    values = np.column_stack([column.at(shared) for column in found.values()])  # (n, models)
    _, readers, sentences = zip(*shared, strict=True)
    clusters = readers if all(column.clusters is not None for column in found.values()) else None
    draws = None
    if resampleable(clusters, sentences):
        draws = bootstrap_means(values, clusters, sentences, seed=seed)
    placed = places(values.mean(axis=0), draws, loss=np.negative if higher_is_better else np.positive)
    return dict(sorted(zip(found, placed, strict=True), key=lambda pair: pair[1].rank))


def places(
    values: Array, draws: Array | None, *, loss: Callable[[Array], Array] = np.positive
) -> list[Place]:
    """Return the place of each model from its value and its (resamples, models) bootstrap draws.

    ``loss`` turns values into how bad they are; the draws of all models come from the same
    resamples, so their differences are paired.
    """
    losses = loss(values)  # (models,)
    best = int(losses.argmin())
    ranks = ranks_of(losses[None, :])[0]
    if draws is None:
        return [Place(int(r), None, float(v), float(lost - losses[best]), None, None, None)
                for r, v, lost in zip(ranks, values, losses, strict=True)]  # fmt: skip
    draws = draws[np.isfinite(draws).all(axis=1)]
    lost = loss(draws)  # (B, models)
    spans = np.quantile(ranks_of(lost), [0.025, 0.975], axis=0, method="nearest").astype(int)  # (2, models)
    others = [k for k in range(len(values)) if k != best]
    p_holm = dict(zip(others, holm([two_sided_p(lost[:, k] - lost[:, best]) for k in others]), strict=True))
    return [
        Place(
            rank=int(ranks[k]),
            rank_interval=(int(spans[0, k]), int(spans[1, k])),
            value=float(values[k]),
            difference=float(losses[k] - losses[best]),
            difference_ci95=None if k == best else interval(lost[:, k] - lost[:, best]),
            p_holm=p_holm.get(k),
            tied_with_best=k == best or p_holm[k] >= ALPHA,
        )
        for k in range(len(values))
    ]


def ranks_of(losses: Array) -> NDArray[np.intp]:
    """Return 1 + how many models lose less, in each row; equal losses share the better rank.

    >>> ranks_of(np.array([[0.5, 0.2, 0.5]]))
    array([[2, 1, 2]])
    """
    ranks: NDArray[np.intp] = 1 + (losses[:, :, None] > losses[:, None, :]).sum(axis=2)
    return ranks

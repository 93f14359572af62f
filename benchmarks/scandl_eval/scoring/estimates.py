"""One metric in one setting: the estimate of each model, alone and on the items it shares with others.

Whatever a metric is, a mean over instances, a ratio of sums or an energy distance, commands ask
it the same question: what are the values of these models on the items all of them have, and how
sure are they together? Intervals, paired differences, tests and ranks all follow from the answer;
ranks come last, with intervals and ties, never a bare 1 … N.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scandl.pairing import is_named
from scandl.splits import FoldSpread, fold_spread
from scandl.statistics.bootstrap import holm, interval, two_sided_p
from scandl.statistics.clustered import (
    Codes,
    Uncertainty,
    codes,
    column_sums,
    means_uncertainty,
    ratio_uncertainty,
)
from scandl_eval.score_table import Item, ScoreColumn, shared_items

Array = NDArray[np.float64]
Interval = tuple[float, float]

Loss = Callable[[Array], Array]
ALPHA = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The value of A − B over the items both have."""

    n: int
    mean_a: float
    mean_b: float
    difference: float
    ci95: Interval | None
    p: float | None  # two-sided, not adjusted

    @property
    def separable(self) -> bool:
        """Whether the interval leaves out zero."""
        return self.ci95 is not None and (self.ci95[0] > 0 or self.ci95[1] < 0)


@dataclass(frozen=True, slots=True)
class Joint:
    """The values of some models on the items all of them have."""

    models: tuple[str, ...]
    values: Array  # (k,)
    uncertainty: Uncertainty
    folds: tuple[FoldSpread, ...]
    n: int  # instances, or sentences

    def ci95(self, model: str) -> Interval | None:
        """Return the interval of one model."""
        k = self.models.index(model)
        if not math.isfinite(self.values[k]):
            return None
        return self.uncertainty.interval(float(self.values[k]), self._contrast((k, 1.0)))

    def difference(self, a: str, b: str) -> Difference:
        """Compare two models."""
        i, j = self.models.index(a), self.models.index(b)
        gap = float(self.values[i] - self.values[j])
        contrast = self._contrast((i, 1.0), (j, -1.0))
        return Difference(
            n=self.n,
            mean_a=float(self.values[i]),
            mean_b=float(self.values[j]),
            difference=gap,
            ci95=self.uncertainty.interval(gap, contrast) if math.isfinite(gap) else None,
            p=self.uncertainty.p_value(gap, contrast) if math.isfinite(gap) else None,
        )

    def draws(self, models: Sequence[str], *, seed: int) -> Array:
        """Return draws of the values of some models together; the others do not change them."""
        at = [self.models.index(model) for model in models]
        return self.uncertainty.at(at).draws(self.values[at], models, seed=seed)

    def _contrast(self, *weights: tuple[int, float]) -> list[float]:
        contrast = [0.0] * len(self.models)
        for k, weight in weights:
            contrast[k] += weight
        return contrast


class Estimates(Protocol):
    """One metric in one setting."""

    @property
    def models(self) -> tuple[str, ...]:
        """The models that have it."""
        ...

    def joint(self, models: Sequence[str]) -> Joint | None:
        """Return the values of these models on the items all of them have; None where there is none."""
        ...


@dataclass(frozen=True)
class MeanEstimates:
    """A metric that is a mean over instances."""

    columns: Mapping[str, ScoreColumn]  # by model

    @property
    def models(self) -> tuple[str, ...]:
        """The models that have it."""
        return tuple(model for model, column in self.columns.items() if len(column))

    def joint(self, models: Sequence[str]) -> Joint | None:
        """Return the values of these models on the items all of them have."""
        chosen = [self.columns[model] for model in models]
        items = shared_items(chosen)
        if not items:
            return None
        values = np.column_stack([column.at(items) for column in chosen])
        reader, sentence = _clusters(items)
        folds = [fold for fold, _, _ in items]
        return Joint(
            tuple(models),
            column_sums(values) / len(items),
            means_uncertainty(values, reader, sentence),
            tuple(fold_spread(column, folds) for column in values.T),
            len(items),
        )


@dataclass(frozen=True, slots=True)
class Likelihoods:
    """The log2-probability a model gives each human path, and the number of its events."""

    items: tuple[Item, ...]
    bits: Array
    events: Array  # fixations and the end


@dataclass(frozen=True)
class LikelihoodEstimates:
    """Bits per fixation: the sum of log2-probabilities over the number of fixations and ends."""

    known: Mapping[str, Likelihoods]  # by model

    @property
    def models(self) -> tuple[str, ...]:
        """The models that have it."""
        return tuple(self.known)

    def joint(self, models: Sequence[str]) -> Joint | None:
        """Return the values of these models on the items all of them have."""
        places = [{item: i for i, item in enumerate(self.known[model].items)} for model in models]
        items = [item for item in places[0] if all(item in place for place in places[1:])]
        if not items:
            return None
        top, bottom = (
            np.column_stack(
                [
                    getattr(self.known[model], part)[[place[item] for item in items]]
                    for model, place in zip(models, places, strict=True)
                ]
            )
            for part in ("bits", "events")
        )
        reader, sentence = _clusters(items)
        finite = np.isfinite(top).all(axis=0)
        folds = codes([fold for fold, _, _ in items])
        names = sorted({fold for fold, _, _ in items})
        return Joint(
            tuple(models),
            column_sums(top) / column_sums(bottom),
            ratio_uncertainty(np.where(finite, top, 0.0), bottom, reader, sentence),
            tuple(_ratio_folds(top[:, k], bottom[:, k], folds, names) for k in range(len(models))),
            len(items),
        )


def _ratio_folds(top: Array, bottom: Array, fold: Codes, names: Sequence[str]) -> FoldSpread:
    with np.errstate(invalid="ignore"):
        values = np.bincount(fold, top) / np.bincount(fold, bottom)
    return FoldSpread(dict(zip(names, values.tolist(), strict=True)))


def _clusters(items: Sequence[Item]) -> tuple[Codes | None, Codes]:
    """Return the readers and the sentences of items as numbers; None where readers are not named."""
    readers = [reader for _, reader, _ in items]
    named = all(map(is_named, readers))
    return codes(readers) if named else None, codes([sentence for _, _, sentence in items])


@dataclass(frozen=True, slots=True)
class Place:
    """The place of one model among those it is compared with."""

    rank: int
    rank_interval: tuple[int, int] | None  # holds 95 % of the ranks in draws of all values together
    value: float
    difference: float  # how much worse than the best
    difference_ci95: tuple[float, float] | None
    p_holm: float | None  # paired test against the best, Holm over all such comparisons
    tied_with_best: bool | None  # not distinguished from the best


def rank(joint: Joint, *, loss: Loss = np.positive, seed: int = 1) -> dict[str, Place]:
    """Rank models on the items all of them have, best first; ``loss`` says how bad a value is."""
    placed = places(joint, loss=loss, seed=seed)
    return dict(sorted(zip(joint.models, placed, strict=True), key=lambda pair: pair[1].rank))


def places(joint: Joint, *, loss: Loss = np.positive, seed: int = 1) -> list[Place]:
    """Return the place of each model, in the order of ``joint.models``."""
    losses = loss(joint.values)  # (models,)
    best = min(range(len(losses)), key=lambda k: (losses[k], joint.models[k]))
    ranks = ranks_of(losses[None, :])[0]
    if not joint.uncertainty.defined:
        return unsure_places(joint.values, loss=loss)
    draws = loss(joint.draws(joint.models, seed=seed))  # (n, models)
    spans = np.quantile(ranks_of(draws), [0.025, 0.975], axis=0, method="nearest").astype(int)  # (2, models)
    others = [k for k in range(len(losses)) if k != best]
    gaps = {k: _gap(joint, k, best, loss, seed) for k in others}
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


def _gap(joint: Joint, k: int, best: int, loss: Loss, seed: int) -> tuple[tuple[float, float] | None, float]:
    """Return interval and p-value of how much worse a model is than the best.

    Where a loss is the value or its negative this is the difference of two values. Where it is the
    distance to an ideal, as of diversity to 1, it is taken from draws of the two.
    """
    found = joint.difference(joint.models[k], joint.models[best])
    losses = loss(joint.values)
    for sign in (1.0, -1.0):
        if _linear(joint.values, losses, sign):
            ci95 = found.ci95 if found.ci95 is None or sign > 0 else (-found.ci95[1], -found.ci95[0])
            return ci95, 1.0 if found.p is None else found.p
    draws = loss(joint.draws([joint.models[k], joint.models[best]], seed=seed))
    return interval(draws[:, 0] - draws[:, 1]), two_sided_p(draws[:, 0] - draws[:, 1])


def _linear(values: Sequence[float] | Array, losses: Array, sign: float) -> bool:
    return bool(np.allclose(losses, sign * np.asarray(values), rtol=0.0, atol=1e-12))


def below_zero_notes(intervals: Iterable[tuple[str, Interval | None]]) -> list[str]:
    """Explain energy distances whose interval lies wholly below 0, where no distance should be."""
    below = dict.fromkeys(model for model, ci95 in intervals if ci95 is not None and ci95[1] < 0)
    if not below:
        return []
    return [
        f"the interval of the energy distance of {', '.join(below)} lies wholly below 0: the paths are "
        "nearer to those of other readers than readers are to each other. By chance that happens to one "
        "model in forty that reads as people do; otherwise look for copies of the readers it is tested on"
    ]

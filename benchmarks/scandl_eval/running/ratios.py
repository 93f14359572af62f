"""Every number of the leaderboard as a ratio of sums over units, so that one bootstrap serves all.

NLD is a sum over instances divided by their number; the diversity ratio is the spread of generated
paths over that of human paths, summed over sentences; bits per fixation are log-probabilities
over fixations. Models are compared on shared units and shared resamples, hence paired.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scandl.statistics.bootstrap import FoldSpread, bootstrap_means, interval, resampleable

Array = NDArray[np.float64]
Unit = tuple[str, str, str]
"""(fold, reader, sentence); the reader is empty for units that are whole sentences."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """A metric of one model in one setting: ``sum(top) / sum(bottom)`` over its units."""

    units: tuple[Unit, ...]
    top: Array
    bottom: Array

    def __len__(self) -> int:
        return len(self.units)

    @property
    def value(self) -> float:
        """The ratio; NaN without any unit."""
        bottom = math.fsum(self.bottom.tolist())
        return math.fsum(self.top.tolist()) / bottom if bottom else math.nan

    def at(self, units: Sequence[Unit]) -> Ratio:
        """Return the ratio over these of its units."""
        place = {unit: i for i, unit in enumerate(self.units)}
        chosen = [place[unit] for unit in units]
        return Ratio(tuple(units), self.top[chosen], self.bottom[chosen])


def of_values(units: Sequence[Unit], values: Sequence[float]) -> Ratio:
    """Return the ratio that is a plain mean; undefined values are left out.

    >>> of_values([("0", "r1", "s1"), ("0", "r1", "s2")], [0.5, float("nan")]).value
    0.5
    """
    kept = [(unit, value) for unit, value in zip(units, values, strict=True) if not math.isnan(value)]
    return Ratio(tuple(unit for unit, _ in kept), np.array([value for _, value in kept]), np.ones(len(kept)))


def fold_values(ratio: Ratio) -> FoldSpread:
    """Return the ratio within each fold and its spread."""
    folds: dict[str, list[Unit]] = {}
    for unit in ratio.units:
        folds.setdefault(unit[0], []).append(unit)
    values = {fold: ratio.at(units).value for fold, units in folds.items()}
    return FoldSpread({fold: value for fold, value in values.items() if not math.isnan(value)})


def shared_units(ratios: Mapping[str, Ratio]) -> list[Unit]:
    """Return the units that all models have, in the order of the first."""
    every = [set(ratio.units) for ratio in ratios.values()]
    return [unit for unit in next(iter(ratios.values())).units if all(unit in units for units in every)]


def shared_draws(ratios: Mapping[str, Ratio], *, seed: int, resamples: int) -> Array | None:
    """Return each model's ratio in each resample of their shared units, (resamples, models).

    Readers and sentences are resampled independently; units that are sentences, as sentences. None
    where there is only one of everything.
    """
    units = shared_units(ratios)
    readers = [reader for _, reader, _ in units]
    sentences = [sentence for _, _, sentence in units]
    crossed = readers if all(readers) else None
    if not units or not resampleable(crossed, sentences):
        return None
    shared = [ratio.at(units) for ratio in ratios.values()]
    columns = np.column_stack([column for ratio in shared for column in (ratio.top, ratio.bottom)])
    means = bootstrap_means(columns, crossed, sentences, seed=seed, resamples=resamples)
    with np.errstate(invalid="ignore", divide="ignore"):
        return means[:, 0::2] / means[:, 1::2]


def own_interval(ratio: Ratio, *, seed: int, resamples: int) -> tuple[float, float] | None:
    """Return the interval of one ratio over all its units."""
    draws = shared_draws({"": ratio}, seed=seed, resamples=resamples)
    return None if draws is None else interval(draws[:, 0])

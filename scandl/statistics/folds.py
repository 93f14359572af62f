"""Spread over folds: the two numbers that the literature calls ±, and its paired t-test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scandl.statistics import student

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FoldSpread:
    """The fold means and the two spreads that are called ± in the literature."""

    means: dict[str, float]  # fold -> mean of its instances

    @property
    def mean(self) -> float:
        """The mean of the fold means."""
        return math.fsum(self.means.values()) / len(self.means)

    @property
    def sd(self) -> float | None:
        """The population SD (ddof 0) over folds, as the released script computes it."""
        return self._spread(len(self.means))

    @property
    def se(self) -> float | None:
        """The standard error over folds: SD with ddof 1 over the root of their number."""
        spread = self._spread(len(self.means) - 1)
        return None if spread is None else spread / math.sqrt(len(self.means))

    def _spread(self, divisor: int) -> float | None:
        if len(self.means) < 2:
            return None
        return math.sqrt(math.fsum((m - self.mean) ** 2 for m in self.means.values()) / divisor)


def fold_spread(values: Array, folds: Sequence[str]) -> FoldSpread:
    """Return the spread over folds of a per-instance column.

    >>> spread = fold_spread(np.array([0.25, 0.25, 0.75, 0.75]), ["a", "a", "b", "b"])
    >>> spread.means
    {'a': 0.25, 'b': 0.75}
    >>> spread.sd, round(spread.se, 6)
    (0.25, 0.25)
    """
    groups: dict[str, list[float]] = {}
    for fold, value in zip(folds, values.tolist(), strict=True):
        groups.setdefault(fold, []).append(value)
    return FoldSpread({fold: math.fsum(group) / len(group) for fold, group in groups.items()})


@dataclass(frozen=True, slots=True)
class PairedT:
    """A paired t-test over fold means: the paper's dagger.

    Folds share most of their training data, so their differences are correlated and the test
    rejects too often (Bengio & Grandvalet 2004); with five folds it is weak as well.
    """

    t: float | None  # None when all differences are equal
    df: int
    p: float


def paired_t(a: FoldSpread, b: FoldSpread) -> PairedT | None:
    """Test whether two models differ over the folds both have; None with fewer than two."""
    shared = [fold for fold in a.means if fold in b.means]
    if len(shared) < 2:
        return None
    differences = np.array([a.means[fold] - b.means[fold] for fold in shared])
    spread = float(differences.std(ddof=1))
    if spread < 1e-12:  # equal but for rounding
        return PairedT(None, len(shared) - 1, 1.0 if abs(differences[0]) < 1e-12 else 0.0)
    t = float(differences.mean()) / (spread / math.sqrt(len(shared)))
    return PairedT(t, len(shared) - 1, student.two_sided(t, len(shared) - 1))

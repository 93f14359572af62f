"""Folds: groups put into them, the two spreads over them that the literature calls ±, its paired t-test."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


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


def fold_spread(values: NDArray[np.float64], folds: Sequence[str]) -> FoldSpread:
    """Return the spread over folds of a per-instance column.

    >>> import numpy as np
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
    from scandl.statistics.clustered import two_sided_t  # keeps who only cuts folds from numpy

    shared = [fold for fold in a.means if fold in b.means]
    if len(shared) < 2:
        return None
    differences = FoldSpread({fold: a.means[fold] - b.means[fold] for fold in shared})
    error = differences.se or 0.0
    if error < 1e-12:  # equal but for rounding
        return PairedT(None, len(shared) - 1, 1.0 if abs(differences.mean) < 1e-12 else 0.0)
    t = differences.mean / error
    return PairedT(t, len(shared) - 1, two_sided_t(t, len(shared) - 1))


def group_folds(sizes: Iterable[tuple[str, int]], n_folds: int) -> dict[str, int]:
    """Assign groups to folds, the largest first, each to the fold that is lightest so far.

    >>> group_folds([("a", 1), ("b", 5), ("c", 2), ("d", 2)], 2)
    {'b': 0, 'd': 1, 'c': 1, 'a': 1}
    """
    weights = [0] * n_folds
    parts = {}
    for name, size in sorted(sizes, key=lambda group: group[1])[::-1]:
        lightest = weights.index(min(weights))
        parts[name] = lightest
        weights[lightest] += size
    return parts

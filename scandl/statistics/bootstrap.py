"""Bootstrap weights: how often each row counts in each resample of readers and sentences; p-values.

Rows of one reader, and rows of one sentence, belong together. Readers and sentences are drawn
independently with replacement, and a row counts as often as its reader times its sentence was drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Clusters: TypeAlias = Sequence[str] | NDArray[np.int64]
"""The reader, the sentence, … of each row."""

RESAMPLES = 2000
MOST_UNDEFINED = 0.05
_BLOCK_CELLS = 1_000_000  # weights held at once: memory stays flat however many rows there are


def weights(*clusters: Clusters, rng: np.random.Generator, resamples: int = RESAMPLES) -> Iterator[Floats]:
    """Yield blocks of (resample, row) weights; a factor with a single level is not resampled.

    >>> blocks = weights(["a", "a", "b"], rng=np.random.default_rng(1), resamples=4)
    >>> drawn = np.vstack(list(blocks))
    >>> drawn.shape, bool((drawn[:, 0] == drawn[:, 1]).all()), (drawn[:, 1] + drawn[:, 2]).tolist()
    ((4, 3), True, [2.0, 2.0, 2.0, 2.0])
    """
    coded = [np.unique(np.asarray(levels), return_inverse=True) for levels in clusters]
    factors = [(len(levels), codes) for levels, codes in coded if len(levels) > 1]
    n_rows = len(clusters[0])
    size = max(1, _BLOCK_CELLS // max(1, n_rows))
    for first in range(0, resamples, size):
        n_drawn = min(size, resamples - first)
        block = np.ones((n_drawn, n_rows))
        for n, codes in factors:
            times = rng.multinomial(n, np.full(n, 1 / n), size=n_drawn).astype(np.float64)
            block *= times.take(codes, axis=1)
        yield block


def mean_and_sd(weight: Floats, values: Floats) -> Floats:
    """Return (2, resample, column) weighted means and standard deviations of the columns.

    >>> mean_and_sd(np.array([[1.0, 1.0], [2.0, 0.0]]), np.array([[1.0], [3.0]]))[..., 0]
    array([[2., 1.],
           [1., 0.]])
    """
    centre = values.mean(axis=0)
    total = _total(weight)
    first = weight @ (values - centre) / total
    second = weight @ (values - centre) ** 2 / total
    return np.stack([first + centre, np.sqrt(np.maximum(second - first**2, 0.0))])


def correlation(weight: Floats, x: Floats, y: Floats) -> Floats:
    """Return (resample, column) weighted Pearson correlations of the columns of ``x`` and ``y``.

    A resample in which either column is constant has no correlation and gives NaN.
    """
    x, y = (_standard(column) for column in (x, y))
    total = _total(weight)
    mx, my = weight @ x / total, weight @ y / total
    vx, vy = weight @ x**2 / total - mx**2, weight @ y**2 / total - my**2
    covariance = weight @ (x * y) / total - mx * my
    defined = (vx > 1e-10) & (vy > 1e-10)  # columns have variance 1, so this is rounding
    r = covariance / np.sqrt(np.where(defined, vx * vy, 1.0))
    return np.where(defined, np.clip(r, -1.0, 1.0), np.nan)


def interval(draws: Floats) -> tuple[float, float] | None:
    """Return the 95 % percentile interval; None where too many resamples leave the number undefined.

    >>> interval(np.arange(101.0))
    (2.5, 97.5)
    >>> interval(np.array([0.1, np.nan])) is None
    True
    """
    defined = draws[np.isfinite(draws)]
    if len(defined) == 0 or len(defined) < (1 - MOST_UNDEFINED) * len(draws):
        return None
    low, high = np.quantile(defined, [0.025, 0.975])
    return float(low), float(high)


def two_sided_p(draws: Floats) -> float:
    """Return the bootstrap p-value of "the difference is zero", never smaller than 2/(B + 1).

    >>> two_sided_p(np.array([0.1, 0.2, 0.3]))
    0.5
    """
    defined = draws[np.isfinite(draws)]
    tail = min(int((defined <= 0).sum()), int((defined >= 0).sum()))
    return min(1.0, 2 * (tail + 1) / (len(defined) + 1))


def drawn(blocks: Iterator[Floats], statistic: Callable[[Floats], Floats]) -> Floats:
    """Return the statistic of every resample; resamples are its first axis but one."""
    return np.concatenate([statistic(block) for block in blocks], axis=-2)


def _total(weight: Floats) -> Floats:
    """Return the sum of weights; a resample that holds no row at all is NaN all through."""
    total = weight.sum(axis=1, keepdims=True)
    return np.where(total > 0, total, np.nan)


def _standard(column: Floats) -> Floats:
    return (column - column.mean(axis=0)) / column.std(axis=0)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values adjusted for their number by Holm's step-down rule.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for step, i in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - step) * p_values[i]))
        adjusted[i] = largest
    return adjusted

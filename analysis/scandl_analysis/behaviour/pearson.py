"""Pearson's correlation as tables print it: r, stars, and a bootstrap interval, or a reason."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scandl.statistics import bootstrap
from scandl.statistics.bootstrap import RESAMPLES, Clusters, Floats

LEVELS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))
FEWEST = 3


@dataclass(frozen=True, slots=True)
class Points:
    """Points of a scatter plot, one x for several y, and what they are points of."""

    unit: str  # readers, sentences, scanpaths
    names: tuple[str, ...]  # of x, then of each column of y
    x: Floats  # (n,)
    y: Floats  # (n, k)
    clusters: tuple[Clusters, ...]  # what the interval resamples

    def __len__(self) -> int:
        return len(self.x)


@dataclass(frozen=True, slots=True)
class Pearson:
    """A correlation; ``note`` says why a number is missing."""

    n: int
    r: float | None = None
    p: float | None = None
    stars: str = ""
    ci_low: float | None = None
    ci_high: float | None = None
    note: str = ""


def pearson(x: Floats, y: Floats) -> tuple[float, float]:
    """Return r and the two-sided p of the t test with n − 2 degrees of freedom; neither may be constant.

    >>> r, p = pearson(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 3.0, 2.0, 4.0]))
    >>> round(r, 6), round(p, 6)
    (0.8, 0.2)
    """
    from scipy.special import stdtr

    dx, dy = x - x.mean(), y - y.mean()
    r = float(np.clip(dx @ dy / math.sqrt((dx @ dx) * (dy @ dy)), -1.0, 1.0))
    if abs(r) == 1.0:
        return r, 0.0
    df = len(x) - 2
    return r, float(2 * stdtr(df, -abs(r) * math.sqrt(df / ((1 - r) * (1 + r)))))


def stars(p: float) -> str:
    """Return the stars of the published tables.

    >>> stars(0.001), stars(0.01), stars(0.05), stars(0.051)
    ('***', '**', '*', '')
    """
    return next((mark for level, mark in LEVELS if p <= level), "")


def correlate(points: Points, rng: np.random.Generator, resamples: int = RESAMPLES) -> list[Pearson]:
    """Return the correlation of x with each column of y; what is not defined says why."""
    n = len(points)
    reasons = [_reason(points, k) for k in range(points.y.shape[1])]
    known = [k for k, reason in enumerate(reasons) if not reason]
    draws = _draws(points, known, rng, resamples)
    found = []
    for k, reason in enumerate(reasons):
        if reason:
            found.append(Pearson(n, note=reason))
            continue
        r, p = pearson(points.x, points.y[:, k])
        drawn = draws[:, known.index(k)]
        interval = bootstrap.interval(drawn)
        low, high = interval or (None, None)
        note = "" if interval else _no_interval(points, drawn)
        found.append(Pearson(n, r, p, stars(p), low, high, note))
    return found


def _draws(points: Points, known: Sequence[int], rng: np.random.Generator, resamples: int) -> Floats:
    # Weights first: a column that drops out must not change the resamples of the others.
    blocks = bootstrap.weights(*points.clusters, rng=rng, resamples=resamples)
    if not known:
        return np.zeros((resamples, 0))
    x, y = points.x[:, None], points.y[:, list(known)]
    return bootstrap.drawn(blocks, lambda weight: bootstrap.correlation(weight, x, y))


def _reason(points: Points, k: int) -> str:
    """Say why there is no correlation, or nothing if there is one."""
    n = len(points)
    if n < FEWEST:
        return f"{n} {points.unit}: a correlation needs at least {FEWEST}"
    for name, column in ((points.names[0], points.x), (points.names[k + 1], points.y[:, k])):
        if np.ptp(column) <= 1e-12 * max(1.0, float(np.abs(column).max())):
            return f"{name} is {column[0]:.4g} for all {n:,} {points.unit}"
    return ""


def _no_interval(points: Points, draws: Floats) -> str:
    undefined = int(np.isnan(draws).sum())
    return f"no interval: a column is constant in {undefined:,} of {len(draws):,} resamples of {points.unit}"

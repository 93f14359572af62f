"""Pearson's correlation as tables print it: r, stars, and a bootstrap interval, or a reason.

The strength of a measure of human scanpaths is the mean of |r| over models, on the scanpaths all of them
have. Correlations of two measures are of the same points and err together, so what is tested is their
difference: both are sums of small contributions of readings, near enough, whose variance over readers and
sentences ``scandl.statistics.clustered`` knows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import stdtr

from scandl.measures.scanpath_measures import NAMES
from scandl.statistics import bootstrap
from scandl.statistics.bootstrap import RESAMPLES, Clusters, Floats, holm
from scandl.statistics.clustered import Contributions, clustered, codes

NLD = "nld"
LEVELS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))
FEWEST = 3  # points, below which there is no correlation


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


@dataclass(frozen=True, slots=True)
class Strength:
    """The mean of |r| over models of one measure."""

    measure: str
    n: int  # scanpaths that all models have
    mean: float
    ci95: tuple[float, float] | None
    p: float | None  # "as strong as the strongest", adjusted for the number of measures; None: it is that


def strengths(pairs: pd.DataFrame) -> list[Strength]:
    """Return the measures of the pairs of one convention, the strongest first; what is constant has none.

    ``pairs`` has a row for each model and human scanpath, as ``paired_scanpaths`` gives it.
    """
    shared, nld, measures = _shared(pairs)
    if len(shared) < FEWEST:
        return []
    models = [k for k in range(nld.shape[1]) if np.ptp(nld[:, k]) > 1e-12]
    known = [k for k in range(measures.shape[1]) if np.ptp(measures[:, k]) > 1e-12]
    if not models or not known:
        return []
    r, influence = correlation_influences(nld[:, models], measures[:, known])
    mean = np.abs(r).mean(axis=0)
    readers = shared["reader_id"].tolist()
    uncertainty = clustered(
        Contributions(
            (np.sign(r) * influence).mean(axis=1) / len(shared),
            codes(readers) if all(readers) else None,
            codes(shared["sentence_id"].tolist()),
        )
    )
    order = np.argsort(-mean, kind="stable")
    unit = np.eye(len(known))
    tests = [
        uncertainty.p_value(float(mean[order[0]] - mean[k]), (unit[order[0]] - unit[k]).tolist())
        for k in order[1:]
    ]
    adjusted = [None, *holm([p for p in tests if p is not None])]
    adjusted += [None] * (len(order) - len(adjusted))
    found = []
    for k, p in zip(order.tolist(), adjusted, strict=True):
        ends = uncertainty.interval(float(mean[k]), unit[k].tolist())
        ci95 = None if ends is None else (max(ends[0], 0.0), min(ends[1], 1.0))
        found.append(Strength(NAMES[known[k]], len(shared), float(mean[k]), ci95, p))
    return found


def correlation_influences(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return the correlations of columns (a, b), and how much each point moves them, (n, a, b).

    What a point moves is the derivative of r by its weight, times the number of points.

    >>> x = np.array([[1.0], [2.0], [3.0], [4.0]])
    >>> r, moved = correlation_influences(x, np.array([[1.0], [3.0], [2.0], [4.0]]))
    >>> r.round(3), bool(abs(moved.sum()) < 1e-12)
    (array([[0.8]]), True)
    """
    zx, zy = ((each - each.mean(axis=0)) / each.std(axis=0) for each in (x, y))
    products = zx[:, :, None] * zy[:, None, :]  # (n, a, b)
    r = products.mean(axis=0)
    squares = zx[:, :, None] ** 2 + zy[:, None, :] ** 2
    return r, products - 0.5 * r * squares


def _shared(pairs: pd.DataFrame) -> tuple[pd.DataFrame, Floats, Floats]:
    """Return the scanpaths all models have, the NLD of each model on them, and their measures."""
    keys = ["reader_id", "sentence_id", "number"]
    # Readers without a name have several scanpaths of a sentence, in the same order under each model.
    number = pairs.groupby(["model", "reader_id", "sentence_id"], sort=False).cumcount()
    wide = pairs.assign(number=number).pivot(index=keys, columns="model", values=NLD).dropna()
    humans = pairs.assign(number=number).drop_duplicates(keys).set_index(keys).loc[wide.index, list(NAMES)]
    return wide.reset_index()[keys], wide.to_numpy(float), humans.to_numpy(float)

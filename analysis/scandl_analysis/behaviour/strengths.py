"""How much each measure of a human scanpath goes with NLD, and which go less than the strongest.

The strength of a measure is the mean of |r| over models, on the scanpaths all of them have. Correlations
of two measures are of the same points and err together, so what is tested is their difference: both are
sums of small contributions of readings, near enough, whose variance over readers and sentences
``scandl.statistics.clustered`` knows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from scandl.measures.scanpath_measures import NAMES
from scandl.statistics.bootstrap import Floats, holm
from scandl.statistics.clustered import Contributions, clustered, codes
from scandl_analysis.behaviour.paired_scanpaths import NLD

FEWEST = 3  # scanpaths, below which there is no correlation


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

"""Marginal effects that trust nothing but the mean: pooled regressions with errors clustered two ways.

The words of a reader go together, and so do those of a sentence. A regression without terms for either still
finds how the mean outcome changes with a predictor. Its error is taken from the residuals, summed by reader
and by sentence (Cameron, Gelbach & Miller, 2011, Journal of Business & Economic Statistics 29), so that it
holds whatever the dispersion. Where it is far from the error of the full model, that model fits badly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from scandl.statistics.bootstrap import Floats
from scandl_analysis.glm.marginal import averaged
from scandl_analysis.glm.spec import Family

if TYPE_CHECKING:
    import pandas as pd

CLUSTERS = ("reader_id", "sentence_id")
_STEPS = 50
_NEAR = 1e-10


def robust_errors(
    frame: pd.DataFrame, measure: str, predictors: tuple[str, ...], family: Family, grid: pd.DataFrame
) -> dict[str, float]:
    """Return the two-way clustered standard error of each average marginal effect.

    Parameters
    ----------
    frame
        The words of one source with outcome, predictors, ``reader_id`` and ``sentence_id``.
    measure
        The column of the outcome.
    predictors
        The columns it is regressed on.
    family
        The family; negative binomial counts have the mean of Poisson ones.
    grid
        The words that effects are averaged over.

    Returns
    -------
    dict
        By predictor, in the unit of the outcome; empty where the pooled regression has no estimate.
    """
    kept = frame.dropna(subset=[measure, *predictors])
    y = kept[measure].to_numpy(dtype=float)
    y = np.log(y) if family == "lognormal" else y
    x, at = (
        np.column_stack([np.ones(len(rows)), rows[list(predictors)].to_numpy(dtype=float)])
        for rows in (kept, grid)
    )
    inner: Family = "gaussian" if family == "lognormal" else family
    beta = _estimate(x, y, inner)
    if beta is None:
        return {}
    mean, slope, _ = _moments(x @ beta, inner)
    residuals = y - mean
    bread = np.linalg.inv(x.T @ (x * slope[:, None]))
    variance = bread @ _meat(x * residuals[:, None], kept) @ bread
    error = float(residuals.var()) if family == "lognormal" else 0.0
    _, first, second = _moments(at @ beta, family, error)
    found = {}
    for k, name in enumerate(predictors, start=1):
        gradient = beta[k] * (second @ at) / len(at)
        gradient[k] += first.mean()
        found[name] = float(np.sqrt(max(gradient @ variance @ gradient, 0.0)))
    return found


def _estimate(x: Floats, y: Floats, family: Family) -> Floats | None:
    """Return the estimates by Newton's method; None where there is no maximum."""
    beta = np.zeros(x.shape[1])
    if family != "bernoulli":
        beta[0] = np.log(max(y.mean(), 1e-9)) if family != "gaussian" else y.mean()
    for _ in range(_STEPS):
        mean, slope, _ = _moments(x @ beta, family)
        try:
            step = np.linalg.solve(x.T @ (x * slope[:, None]), x.T @ (y - mean))
        except np.linalg.LinAlgError:
            return None
        beta = beta + step
        if not np.isfinite(beta).all() or np.abs(beta).max() > _STEPS:
            return None
        if np.abs(step).max() < _NEAR:
            return beta
    return None


def _moments(eta: Floats, family: Family, variance: float = 0.0) -> tuple[Floats, Floats, Floats]:
    mean, first, second = averaged(family, eta[None], np.full((1, len(eta)), variance))
    return mean[0], first[0], second[0]


def _meat(scores: Floats, frame: pd.DataFrame) -> Floats:
    """Return the summed products of scores by reader, plus by sentence, less by both."""
    codes = [frame[name].astype("category").cat.codes.to_numpy().astype(np.int64) for name in CLUSTERS]
    both = codes[0] * (codes[1].max() + 1) + codes[1]
    return (
        _by(codes[0], scores) + _by(codes[1], scores) - _by(np.unique(both, return_inverse=True)[1], scores)
    )


def _by(codes: Any, scores: Floats) -> Floats:
    sums = np.column_stack([np.bincount(codes, column) for column in scores.T])
    n = len(sums)
    return np.asarray(sums.T @ sums * (n / (n - 1) if n > 1 else 1.0))

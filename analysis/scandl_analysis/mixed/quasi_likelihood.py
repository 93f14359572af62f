"""Shares and counts in mixed models, by penalised quasi-likelihood (Breslow & Clayton 1993).

Each round replaces the outcome by a working response and weights, for which the mixed model is Gaussian.
It is an approximation: with few observations per level it pulls effects of binary outcomes towards 0.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy.special import expit

from scandl_analysis.mixed.crossed_rows import CrossedRows, Floats, cross_products
from scandl_analysis.mixed.reml import Reml, fit_reml

Kind = Literal["gaussian", "bernoulli", "poisson"]
ROUNDS = 25
_LARGEST = 12.0  # of a linear predictor: beyond it a share is 0 or 1


def fit_mixed(rows: CrossedRows, kind: Kind = "gaussian") -> Reml:
    """Fit a mixed model; of counts the dispersion is estimated, of binary outcomes it is 1."""
    cells = rows.cells()
    if kind == "gaussian":
        return fit_reml(cross_products(rows, cells, rows.y))
    places, values = cells
    mean = _inside(float(rows.y.mean()), kind)
    eta = np.full(len(rows.y), np.log(mean / (1 - mean)) if kind == "bernoulli" else np.log(mean))
    found: Reml | None = None
    for _ in range(ROUNDS):
        mu, weights = _moments(eta, kind)
        working = eta + (rows.y - mu) / weights
        data = cross_products(rows, cells, working, weights)
        start = None if found is None else np.append(found.variances, found.residual)
        before = found
        found = fit_reml(data, start=start, residual=1.0 if kind == "bernoulli" else None)
        eta = np.clip((values * found.solution[places]).sum(axis=1), -_LARGEST, _LARGEST)
        if before is not None and np.abs(found.effects - before.effects).max() < 1e-4:
            return found
    assert found is not None
    return _unfinished(found)


def _inside(mean: float, kind: Kind) -> float:
    return min(max(mean, 1e-3), 1 - 1e-3) if kind == "bernoulli" else max(mean, 1e-3)


def _moments(eta: Floats, kind: Kind) -> tuple[Floats, Floats]:
    """Return mean and weight of each row, which is also the slope of the mean."""
    if kind == "poisson":
        mu = np.exp(eta)
        return mu, mu
    mu = expit(eta)
    return mu, mu * (1 - mu)


def _unfinished(found: Reml) -> Reml:
    from dataclasses import replace

    return replace(found, converged=False)

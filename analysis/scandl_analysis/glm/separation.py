"""Whether predictors separate the outcomes, so that the likelihood has no maximum (Albert & Anderson, 1984).

A direction separates if moving along it makes no outcome less probable and some more: each word that
was skipped has a predictor of at least 0 along it, each other at most 0. With flat priors the posterior
then has no scale either, although a search for its mode may stop and look like a success.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog

from scandl_analysis.glm.design import Design, NotEstimableError
from scandl_analysis.glm.kernels import Floats
from scandl_analysis.glm.spec import TIMES, Family

SEPARATED = "not estimable: the predictors separate the outcomes completely or nearly"

_BLOCK = 200
"""Words that are looked at first, and how many are added at a time."""

_TOUCHING, _APART = 1e-7, 1e-4
"""Margins, for columns of at most 1: below the first is none, beyond the second is one (solver: 10⁻⁷)."""


def check_separation(family: Family, design: Design) -> None:
    """Raise NotEstimableError where the common effects separate the outcomes, completely or nearly.

    Effects of groups do not matter: they have proper priors. Continuous outcomes cannot be separated.
    """
    if family not in TIMES and separates(_signed_rows(family, design)):
        raise NotEstimableError(SEPARATED)


def separates(rows: Floats) -> bool:
    """Return whether some b has rows @ b ≥ 0, and not 0 throughout.

    A linear programme over few of the rows is solved, the rows that its solution violates are added,
    and so on: a few hundred rows decide about a hundred thousand.

    >>> separates(np.array([[1.0, 1.0], [-1.0, 1.0]])), separates(np.array([[1.0, 1.0], [-1.0, -1.0]]))
    (True, False)
    """
    rows = rows / np.maximum(np.abs(rows).max(axis=0), np.finfo(float).tiny)
    gain = rows.sum(axis=0)
    chosen = np.unique(np.linspace(0, len(rows) - 1, _BLOCK).astype(int))
    while True:
        found = linprog(-gain, A_ub=-rows[chosen], b_ub=np.zeros(len(chosen)), bounds=(-1, 1), method="highs")
        assert found.x is not None  # b = 0 is allowed and the bounds are finite, so there is a solution
        margin = rows @ found.x
        if margin.max() < _APART:
            return False
        violated = np.flatnonzero(margin < -_TOUCHING)
        new = np.setdiff1d(violated[np.argsort(margin[violated])[:_BLOCK]], chosen)
        if not len(new):
            return True
        chosen = np.concatenate([chosen, new])


def _signed_rows(family: Family, design: Design) -> Floats:
    """Return the rows of the design, each with the sign of the direction in which its outcome is likelier.

    Counts above 0 have their best predictor at a finite place, so they stand there with both signs.
    """
    x = np.column_stack([np.ones(len(design.x)), design.x])
    some = design.total > 0
    if family == "bernoulli":
        return np.concatenate([x[some], -x[design.total < design.trials]])
    return np.concatenate([x[some], -x])

"""From a table of words to numbers: the centred design, its groups, and identical rows merged.

Predictors that separate the outcomes, so that the likelihood has no maximum (Albert & Anderson, 1984), are
found here too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from scandl.errors import ScandlError
from scandl.statistics.bootstrap import Floats
from scandl_analysis.glm.spec import TIMES, Family, Glm

if TYPE_CHECKING:
    import pandas as pd

Indices = NDArray[np.int64]

_OUTCOMES: dict[Family, str] = {
    "bernoulli": "0 or 1",
    "poisson": "whole numbers from 0",
    "negativebinomial": "whole numbers from 0",
    "conwaymaxwell": "whole numbers from 0",
    "gaussian": "finite numbers",
    "lognormal": "above 0",
}
SEPARATED = "not estimable: the predictors separate the outcomes completely or nearly"
_BLOCK = 200
"""Words that are looked at first, and how many are added at a time."""
_TOUCHING, _APART = 1e-7, 1e-4
"""Margins, for columns of at most 1: below the first is none, beyond the second is one (solver: 10⁻⁷)."""


class NotEstimableError(ScandlError):
    """The data cannot tell the effects; the message says why and goes into the table of effects."""


@dataclass(frozen=True)
class GroupEffects:
    """Effects that differ between the levels of a grouping factor: intercepts, or slopes of a predictor."""

    factor: str
    levels: tuple[str, ...]
    index: Indices  # (n,) the level each row belongs to
    predictor: str | None = None  # of slopes
    values: Floats | None = None  # (n,) of that predictor, as it came: not centred

    @property
    def name(self) -> str:
        """The name bambi gives the effects.

        >>> GroupEffects("reader_id", ("a",), np.zeros(1, int)).name
        '1|reader_id'
        """
        return f"{self.predictor or 1}|{self.factor}"


@dataclass(frozen=True)
class Design:
    """The rows of one regression; a merged row stands for ``trials`` rows whose outcomes sum to ``total``.

    Groups are ordered by the number of levels of their factor, the largest last, slopes before
    intercepts. The outcome of the log-normal family is its logarithm. For the negative binomial only
    rows with the same outcome are merged, because its likelihood needs each of them.
    """

    terms: tuple[str, ...]
    x: Floats  # (n, p), each column centred over all rows
    x_mean: Floats  # (p,)
    is_indicator: NDArray[np.bool_]  # (p,) columns of a categorical main effect
    total: Floats  # (n,)
    trials: Floats  # (n,)
    groups: tuple[GroupEffects, ...]
    outcome: Floats  # (n_rows,) as measured, or its logarithm
    n_dropped: int = 0

    @property
    def n_rows(self) -> int:
        """The number of words analysed, before merging."""
        return len(self.outcome)


def build_design(frame: pd.DataFrame, glm: Glm, *, aggregate: bool = True) -> Design:
    """Return the design of ``glm`` on ``frame``; rows where a needed value is missing are dropped."""
    for name in glm.columns:
        if name not in frame.columns:
            raise ScandlError(f"{glm.formula}: the table has no column {name!r}")
    kept = frame.dropna(subset=list(glm.columns))
    if kept.empty:
        raise NotEstimableError(f"not estimable: no word has {glm.measure} and all predictors")
    terms, x, is_indicator = common_columns(kept, glm)
    y = kept[glm.measure].to_numpy(dtype=float)
    _check_estimable(glm, y, terms, x)
    x_mean = x.mean(axis=0)
    if glm.family == "lognormal":
        y = np.log(y)
    whole = Design(
        terms,
        x - x_mean,
        x_mean,
        is_indicator,
        y,
        np.ones(len(y)),
        _groups(glm, kept),
        y,
        len(frame) - len(kept),
    )
    return (
        _merged(whole, by_outcome=glm.family in ("negativebinomial", "conwaymaxwell")) if aggregate else whole
    )


def common_columns(frame: pd.DataFrame, glm: Glm) -> tuple[tuple[str, ...], Floats, NDArray[np.bool_]]:
    """Return names and columns of the common part: predictors, or source indicators and interactions."""
    columns = {name: frame[name].to_numpy(dtype=float) for name in glm.predictors}
    if glm.by is not None:
        values = frame[glm.by].astype(str).to_numpy()
        others = by_levels(frame, glm.by)[1:]
        indicators = {f"{glm.by}[{level}]": (values == level).astype(float) for level in others}
        products = {
            f"{name}:{predictor}": indicator * columns[predictor]
            for predictor in glm.predictors
            for name, indicator in indicators.items()
        }
        columns = indicators | columns | products
    else:
        indicators = {}
    x = np.column_stack(list(columns.values())) if columns else np.empty((len(frame), 0))
    return tuple(columns), x, np.array([name in indicators for name in columns], dtype=bool)


def by_levels(frame: pd.DataFrame, by: str) -> list[str]:
    """Return the levels of a factor in order of appearance; the first is the reference."""
    return list(dict.fromkeys(frame[by].astype(str)))


def _groups(glm: Glm, frame: pd.DataFrame) -> tuple[GroupEffects, ...]:
    by_factor = []
    for factor in glm.factors:
        names, index = np.unique(
            frame[factor].astype(str).to_numpy(dtype=object).astype(str), return_inverse=True
        )
        levels, index = tuple(names.tolist()), index.astype(np.int64)
        slopes = [
            GroupEffects(factor, levels, index, name, frame[name].to_numpy(dtype=float))
            for name in glm.slopes_of(factor)
        ]
        by_factor.append([*slopes, *([GroupEffects(factor, levels, index)] if factor in glm.groups else [])])
    by_factor.sort(key=lambda groups: len(groups[0].levels))
    return tuple(group for groups in by_factor for group in groups)


def _check_estimable(glm: Glm, y: Floats, terms: tuple[str, ...], x: Floats) -> None:
    if not _are_outcomes(glm.family, y):
        raise ScandlError(f"{glm.formula}: {glm.measure} must be {_OUTCOMES[glm.family]}")
    if np.ptp(y) == 0:
        raise NotEstimableError(f"not estimable: {glm.measure} is {y[0]:g} in all {len(y):,} words")
    for name, column in zip(terms, x.T, strict=True):
        if np.ptp(column) == 0:
            raise NotEstimableError(f"not estimable: {name} is the same in all {len(y):,} words")
    if np.linalg.matrix_rank(np.column_stack([np.ones(len(x)), x])) <= x.shape[1]:
        raise NotEstimableError(f"not estimable: {', '.join(terms)} determine each other")


def _are_outcomes(family: Family, y: Floats) -> bool:
    if family in TIMES:
        return bool(np.all(np.isfinite(y))) and (family == "gaussian" or y.min() > 0)
    whole = bool(np.all((y >= 0) & (y == np.round(y))))
    return whole and (family != "bernoulli" or y.max() <= 1)


def _merged(design: Design, *, by_outcome: bool) -> Design:
    """Merge rows with the same predictors and groups; an exact reduction, because only sums matter."""
    keys = [*design.x.T, *(group.index for group in design.groups)]
    keys += [group.values for group in design.groups if group.values is not None]
    if by_outcome:
        keys.append(design.total)
    order = np.lexsort(keys) if keys else np.arange(design.n_rows)
    starts = np.zeros(design.n_rows, dtype=bool)
    starts[0] = True
    for key in keys:
        ordered = key[order]
        starts[1:] |= ordered[1:] != ordered[:-1]
    merged = np.empty(design.n_rows, dtype=np.int64)
    merged[order] = np.cumsum(starts) - 1
    n = int(starts.sum())
    first = order[starts]
    return Design(
        design.terms,
        design.x[first],
        design.x_mean,
        design.is_indicator,
        _sums(merged, design.total, n),
        _sums(merged, design.trials, n),
        tuple(_rows_of(group, first) for group in design.groups),
        design.outcome,
        design.n_dropped,
    )


def _rows_of(group: GroupEffects, rows: Indices) -> GroupEffects:
    values = None if group.values is None else group.values[rows]
    return replace(group, index=group.index[rows], values=values)


def _sums(index: Indices, values: Floats, n: int) -> Floats:
    return np.bincount(index, values, n).astype(np.float64)


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

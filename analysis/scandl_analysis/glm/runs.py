"""The rows of a design as the kernel reads them: in runs that share the effects of one reader."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scandl_analysis.glm.design import Design, Group, Indices
from scandl_analysis.glm.kernels import Floats, run_pass


@dataclass(frozen=True)
class Runs:
    """Columns, groups and runs of the rows, sorted by weight and by the level of the smallest factor."""

    n_common: int
    x: Floats  # (c, n): common predictors, then those that only groups have
    groups: Indices  # (q, n) levels in the other factors
    columns: Indices  # (q,) column of a slope, −1 for intercepts
    shifts: Floats  # (q,) what centring took from that column
    places: Indices  # (q,) first level in the effects
    bounds: Indices  # (runs + 1,)
    own: Indices  # (runs, m) effects of each run in the smallest factor
    own_columns: Indices  # (m,)
    own_shifts: Floats  # (m,)
    weights: Floats  # (runs,)

    @classmethod
    def of(cls, design: Design) -> Runs:
        """Return the runs of a design."""
        n, groups = len(design.x), design.groups
        first = groups[0].factor if groups else None
        n_own = sum(group.factor == first for group in groups)
        level = groups[0].index if groups else np.zeros(n, dtype=np.int64)
        order = np.lexsort((level, design.trials))
        pairs, starts = np.unique(np.stack([design.trials[order], level[order]]), axis=1, return_index=True)
        extra = _extra_columns(design)
        where = {name: k for k, name in enumerate((*design.terms, *extra))}
        columns = np.array([where.get(group.predictor or "", -1) for group in groups], dtype=np.int64)
        shift_of = np.concatenate([design.x_mean, np.zeros(len(extra)), [0.0]])  # the last: of intercepts
        places = _places(design)
        x = np.column_stack([design.x, *extra.values()])
        return cls(
            len(design.terms), np.ascontiguousarray(x[order].T), _levels(groups[n_own:], order),
            columns[n_own:], shift_of[columns[n_own:]], places[n_own:],
            np.append(starts, n).astype(np.int64),
            places[None, :n_own] + pairs[1].astype(np.int64)[:, None],
            columns[:n_own], shift_of[columns[:n_own]], pairs[0],
        )  # fmt: skip

    def subtract(self, effects: Floats, gradient: Floats, *, bernoulli: bool) -> float:
        """Return the sum of the rows' log-partition functions, and subtract its gradient."""
        return float(
            run_pass(
                bernoulli, effects, self.n_common, self.x, self.groups, self.columns, self.shifts,
                self.places, self.bounds, self.own, self.own_columns, self.own_shifts, self.weights, gradient,
            )
        )  # fmt: skip


def _extra_columns(design: Design) -> dict[str, Floats]:
    """Return the predictors that only groups have, by name."""
    return {
        group.predictor: group.values
        for group in design.groups
        if group.predictor is not None and group.values is not None and group.predictor not in design.terms
    }


def _places(design: Design) -> Indices:
    sizes = [len(group.levels) for group in design.groups]
    return 1 + len(design.terms) + np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)[: len(sizes)]


def _levels(groups: tuple[Group, ...], order: Indices) -> Indices:
    return np.array([group.index[order] for group in groups], dtype=np.int64).reshape(len(groups), len(order))

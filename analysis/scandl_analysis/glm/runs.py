"""The rows of a design as the kernel reads them: in runs that share the effects of one reader."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scandl_analysis.glm.columns import parents_of
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
    nest: Nest | None  # intercepts nested in others: rows meet the sum of both

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
        nest = Nest.of(groups, places, n_own)
        met = [k for k in range(n_own, len(groups)) if nest is None or k != len(groups) - 2]
        return cls(
            len(design.terms), np.ascontiguousarray(x[order].T), _levels([groups[k] for k in met], order),
            columns[met], shift_of[columns[met]], places[met],
            np.append(starts, n).astype(np.int64),
            places[None, :n_own] + pairs[1].astype(np.int64)[:, None],
            columns[:n_own], shift_of[columns[:n_own]], pairs[0], nest,
        )  # fmt: skip

    def subtract(self, effects: Floats, gradient: Floats, *, bernoulli: bool) -> float:
        """Return the sum of the rows' log-partition functions, and subtract its gradient."""
        if self.nest is not None:
            effects = self.nest.joined(effects)
            before = gradient[self.nest.children].copy()
        total = run_pass(
            bernoulli, effects, self.n_common, self.x, self.groups, self.columns, self.shifts,
            self.places, self.bounds, self.own, self.own_columns, self.own_shifts, self.weights, gradient,
        )  # fmt: skip
        if self.nest is not None:
            self.nest.hand_up(gradient, gradient[self.nest.children] - before)
        return float(total)


@dataclass(frozen=True)
class Nest:
    """Intercepts of tokens and of the sentences they stand in: a row needs their sum only."""

    parents: slice  # in the effects
    children: slice
    parent_of: Indices

    @classmethod
    def of(cls, groups: tuple[Group, ...], places: Indices, n_own: int) -> Nest | None:
        """Return the nest of the last two groups, if they are one and not the runs' own."""
        if len(groups) < n_own + 2 or any(group.values is not None for group in groups[-2:]):
            return None
        parent_of = parents_of(groups[-1].index, groups[-2].index)
        start, middle = int(places[-2]), int(places[-1])
        end = middle + len(groups[-1].levels)
        return None if parent_of is None else cls(slice(start, middle), slice(middle, end), parent_of)

    def joined(self, effects: Floats) -> Floats:
        """Return the effects with those of parents added to their children."""
        sums = effects.copy()
        sums[self.children] += effects[self.parents][self.parent_of]
        return sums

    def hand_up(self, gradient: Floats, by_child: Floats) -> None:
        """Add what the children's part of a gradient grew by to that of their parents."""
        n = self.parents.stop - self.parents.start
        gradient[self.parents] += np.bincount(self.parent_of, by_child, n)


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


def _levels(groups: list[Group], order: Indices) -> Indices:
    return np.array([group.index[order] for group in groups], dtype=np.int64).reshape(len(groups), len(order))

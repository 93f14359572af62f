"""The design as a linear map: effects to linear predictors and back, and its products with itself.

The effects stand in one vector: intercept, slopes, then the effects of each group. Kernels read the rows in
runs that share the effects of one reader.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from scandl.statistics.bootstrap import Floats
from scandl_analysis.glm.arrow import Arrow, Leaves, RimCells
from scandl_analysis.glm.design import Design, GroupEffects, Indices
from scandl_analysis.glm.kernels import border_pass, moments_pass, rim_pass, run_pass, sum_by


class GroupBlock(NamedTuple):
    """The effects of one group: which of them each row has, and what it is multiplied by (None: 1)."""

    level: Indices
    place: int  # of the first level in the effects
    n: int
    values: Floats | None


@dataclass(frozen=True)
class Columns:
    """The map from effects to the rows of a design."""

    x: Floats  # (n, p)
    blocks: tuple[GroupBlock, ...]
    n_effects: int

    @classmethod
    def of(cls, design: Design) -> Columns:
        """Return the map that belongs to a design."""
        blocks, place = [], 1 + len(design.terms)
        for group in design.groups:
            blocks.append(GroupBlock(group.index, place, len(group.levels), group.values))
            place += len(group.levels)
        return cls(np.ascontiguousarray(design.x), tuple(blocks), place)

    def predict(self, effects: Floats) -> Floats:
        """Return the linear predictor of each row."""
        p = self.x.shape[1]
        eta = self.x @ effects[1 : 1 + p]
        eta += effects[0]
        for level, place, n, values in self.blocks:
            of_row = effects[place : place + n][level]
            eta += of_row if values is None else of_row * values
        return np.asarray(eta)

    def collect(self, row_values: Floats) -> Floats:
        """Return the transpose of ``predict`` applied to one value per row."""
        out = np.zeros(self.n_effects)
        out[0] = row_values.sum()
        out[1 : 1 + self.x.shape[1]] = row_values @ self.x
        for level, place, n, values in self.blocks:
            sum_by(level, row_values if values is None else row_values * values, out[place : place + n])
        return out

    def information(self, weights: Floats) -> Arrow:
        """Return the sum over rows of weight times the products of what each effect is multiplied by.

        The leaves are the last group, and the one before it where each of the last has one of its levels.
        """
        return self._layout.information(weights)

    @cached_property
    def _layout(self) -> _Layout:
        return _Layout.of(self)


@dataclass(frozen=True)
class _Layout:
    """Where each row's products go: into the border, the rim or the leaves.

    If the border has groups of one factor, rows stand in runs of its levels and their products are summed
    run by run. Of intercepts nested in intercepts only the children are met row by row: what is known of
    a parent is the sum of what is known of its children.
    """

    order: Indices  # (n,) of the rows
    bounds: Indices | None  # of the runs; None where the border has groups of several factors
    inner: tuple[GroupBlock, ...]
    values: Floats  # (n, f) what the effects of the border are multiplied by
    leaves: Indices  # (n, l) the leaves each row has
    leaf_values: Floats  # (n, l)
    slots: Indices  # (n, l, f) cell of the rim for each pair
    rim: RimCells
    n_border: int
    n_parents: int
    n_children: int
    parent_of: Indices

    @classmethod
    def of(cls, columns: Columns) -> _Layout:
        """Return the layout of a design."""
        blocks = columns.blocks
        parent_of = parents_of(blocks[-1].level, blocks[-2].level) if len(blocks) > 1 else None
        n_leaves = min(len(blocks), 1 if parent_of is None else 2)
        inner, outer = blocks[: len(blocks) - n_leaves], blocks[len(blocks) - n_leaves :]
        k = outer[0].place if outer else columns.n_effects
        summed = parent_of is not None and all(block.values is None for block in outer)
        met = outer[1:] if summed else outer
        order, bounds = _in_runs(inner, len(columns.x))
        values = np.column_stack([np.ones(len(columns.x)), columns.x, *map(_values, inner)])[order]
        first = met[0].place if met else k
        leaves = np.empty((len(order), len(met)), dtype=np.int64)
        leaf_values = np.empty(leaves.shape)
        for column, block in enumerate(met):
            leaves[:, column] = block.place - first + block.level[order]
            leaf_values[:, column] = _values(block)[order]
        width = columns.n_effects - first
        cells = _border_effects(1 + columns.x.shape[1], inner, order)[:, None] * width + leaves[:, :, None]
        rim, slots = RimCells.of(cells, k, width, parent_of if summed else None)
        return cls(
            order,
            bounds,
            inner,
            values,
            leaves,
            leaf_values,
            slots,
            rim,
            k,
            outer[0].n if n_leaves == 2 else 0,
            outer[-1].n if outer else 0,
            np.empty(0, dtype=np.int64) if parent_of is None else parent_of,
        )

    def information(self, weights: Floats) -> Arrow:
        """Return the weighted sum of products."""
        weights = weights[self.order]
        cells, on_leaves = np.zeros(self.rim.n_cells), np.zeros(self.rim.width)
        rim_pass(weights, self.values, self.leaves, self.leaf_values, self.slots, cells, on_leaves)
        return Arrow(self._border(weights), self.rim.filled(cells), self._on_leaves(weights, on_leaves))

    def _border(self, weights: Floats) -> Floats:
        border = np.zeros((self.n_border, self.n_border))
        if self.bounds is None:
            border_pass(weights, self._effects, self.values, border)
            return np.asarray(border + np.tril(border, -1).T)
        f = self.values.shape[1]
        moments = np.empty((len(self.bounds) - 1, f, f))
        moments_pass(weights, self.bounds, self.values, moments)
        moments += np.tril(moments, -1).transpose(0, 2, 1)
        c = f - len(self.inner)
        border[:c, :c] = moments[:, :c, :c].sum(axis=0)
        for m, block in enumerate(self.inner, c):
            own = slice(block.place, block.place + block.n)
            border[own, :c] = moments[:, m, :c]
            border[:c, own] = moments[:, m, :c].T
            for other, place in ((j, each.place) for j, each in enumerate(self.inner, c)):
                border[range(own.start, own.stop), range(place, place + block.n)] = moments[:, m, other]
        return border

    @cached_property
    def _effects(self) -> Indices:
        n_common = self.values.shape[1] - len(self.inner)
        return _border_effects(n_common, self.inner, self.order)

    def _on_leaves(self, weights: Floats, found: Floats) -> Leaves:
        m, j = self.n_parents, self.n_children
        if not m:
            return Leaves.diagonal(found)
        if self.leaves.shape[1] == 1:
            return Leaves(_summed(self.parent_of, found, m), found, found, self.parent_of)
        products = weights * self.leaf_values.prod(axis=1)
        return Leaves(found[:m], found[m:], _summed(self.leaves[:, 1] - m, products, j), self.parent_of)


def _in_runs(inner: tuple[GroupBlock, ...], n: int) -> tuple[Indices, Indices | None]:
    """Return an order of the rows, and the bounds of their runs if the groups are of one factor."""
    if not inner:
        return np.arange(n), np.array([0, n])
    if any(not np.array_equal(block.level, inner[0].level) for block in inner[1:]):
        return np.arange(n), None
    order = np.argsort(inner[0].level, kind="stable")
    return order, np.searchsorted(inner[0].level[order], np.arange(inner[0].n + 1))


def _border_effects(n_common: int, inner: tuple[GroupBlock, ...], order: Indices) -> Indices:
    """Return the effects that each row has in the border, (n, f)."""
    common = np.broadcast_to(np.arange(n_common)[:, None], (n_common, len(order)))
    rows = [common, *((block.place + block.level[order])[None] for block in inner)]
    return np.ascontiguousarray(np.concatenate(rows).T)


def _summed(index: Indices, values: Floats, n: int) -> Floats:
    out = np.empty(n)
    sum_by(index, values, out)
    return out


def _values(block: GroupBlock) -> Floats:
    return np.ones(len(block.level)) if block.values is None else block.values


def parents_of(children: Indices, parents: Indices) -> Indices | None:
    """Return the one parent that each child appears with in the rows; None where a child has several.

    >>> parents_of(np.array([0, 1, 2, 0]), np.array([1, 1, 0, 1]))
    array([1, 1, 0])
    >>> parents_of(np.array([0, 0]), np.array([0, 1])) is None
    True
    """
    parent = np.zeros(int(children.max()) + 1, dtype=np.int64)
    parent[children] = parents
    return parent if parents.max() > 0 and bool(np.all(parent[children] == parents)) else None


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
            len(design.terms),
            np.ascontiguousarray(x[order].T),
            _levels([groups[k] for k in met], order),
            columns[met],
            shift_of[columns[met]],
            places[met],
            np.append(starts, n).astype(np.int64),
            places[None, :n_own] + pairs[1].astype(np.int64)[:, None],
            columns[:n_own],
            shift_of[columns[:n_own]],
            pairs[0],
            nest,
        )

    def subtract(self, effects: Floats, gradient: Floats, *, bernoulli: bool) -> float:
        """Return the sum of the rows' log-partition functions, and subtract its gradient."""
        if self.nest is not None:
            effects = self.nest.joined(effects)
            before = gradient[self.nest.children].copy()
        total = run_pass(
            bernoulli,
            effects,
            self.n_common,
            self.x,
            self.groups,
            self.columns,
            self.shifts,
            self.places,
            self.bounds,
            self.own,
            self.own_columns,
            self.own_shifts,
            self.weights,
            gradient,
        )
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
    def of(cls, groups: tuple[GroupEffects, ...], places: Indices, n_own: int) -> Nest | None:
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


def _levels(groups: list[GroupEffects], order: Indices) -> Indices:
    return np.array([group.index[order] for group in groups], dtype=np.int64).reshape(len(groups), len(order))

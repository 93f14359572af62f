"""The design as a linear map: effects to linear predictors and back, and its products with itself.

The effects stand in one vector: intercept, slopes, then the effects of each group.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from scandl_analysis.glm.arrow import Arrow, Leaves, Rim
from scandl_analysis.glm.design import Design, Indices
from scandl_analysis.glm.kernels import Floats, information_pass, sum_by

_DENSE = 0.25
"""Share of filled cells from which on a rim is kept dense."""


class Block(NamedTuple):
    """The effects of one group: which of them each row has, and what it is multiplied by (None: 1)."""

    level: Indices
    place: int  # of the first level in the effects
    n: int
    values: Floats | None


@dataclass(frozen=True)
class Columns:
    """The map from effects to the rows of a design."""

    x: Floats  # (n, p)
    blocks: tuple[Block, ...]
    n_effects: int

    @classmethod
    def of(cls, design: Design) -> Columns:
        """Return the map that belongs to a design."""
        blocks, place = [], 1 + len(design.terms)
        for group in design.groups:
            blocks.append(Block(group.index, place, len(group.levels), group.values))
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
    """Where each row's products go: into the border, the rim or the leaves."""

    effects: Indices  # (f, n) the effects each row has in the border
    values: Floats  # (f, n) and what they are multiplied by
    leaves: Indices  # (l, n) the same of the leaves: none, children, or parents and children
    leaf_values: Floats
    slots: Indices  # (f · l, n) cell of the rim for each pair
    n_border: int
    n_parents: int
    n_children: int
    parent_of: Indices
    pattern: csr_array | None  # of a sparse rim; None where it is dense

    @classmethod
    def of(cls, columns: Columns) -> _Layout:
        """Return the layout of a design."""
        blocks = columns.blocks
        n_leaves = 0 if not blocks else 2 if len(blocks) > 1 and _is_nested(blocks[-1], blocks[-2]) else 1
        inner, outer = blocks[: len(blocks) - n_leaves], blocks[len(blocks) - n_leaves :]
        n = len(columns.x)
        p = columns.x.shape[1]
        common = np.broadcast_to(np.arange(1 + p)[:, None], (1 + p, n))
        effects = np.concatenate([common, *(b.place + b.level[None] for b in inner)])
        values = np.concatenate([np.ones((1, n)), columns.x.T, *(_values(b)[None] for b in inner)])
        border = outer[0].place if outer else columns.n_effects
        leaves = np.array([b.place - border + b.level for b in outer], dtype=np.int64).reshape(n_leaves, n)
        width = columns.n_effects - border
        cells = (effects[:, None] * width + leaves[None]).reshape(-1, n)
        slots, pattern = _slots(cells, border, width)
        return cls(
            np.ascontiguousarray(effects), np.ascontiguousarray(values), leaves,
            np.array([_values(b) for b in outer]).reshape(n_leaves, n), slots, border,
            outer[0].n if n_leaves == 2 else 0, outer[-1].n if outer else 0,
            _parents(outer) if n_leaves == 2 else np.empty(0, dtype=np.int64), pattern,
        )  # fmt: skip

    def information(self, weights: Floats) -> Arrow:
        """Return the weighted sum of products."""
        k, width = self.n_border, self.n_parents + self.n_children
        border, on_leaves = np.zeros((k, k)), np.zeros(width)
        link = np.zeros(self.n_children if self.n_parents else 0)
        rim = np.zeros(k * width if self.pattern is None else self.pattern.nnz)
        information_pass(
            weights, self.effects, self.values, self.leaves, self.leaf_values, self.slots, border, rim,
            on_leaves, link,
        )  # fmt: skip
        leaves = Leaves(on_leaves[: self.n_parents], on_leaves[self.n_parents :], link, self.parent_of)
        return Arrow(border + np.tril(border, -1).T, self._rim(rim, k, width), leaves)

    def _rim(self, data: Floats, k: int, width: int) -> Rim:
        if self.pattern is None:
            return data.reshape(k, width)
        return csr_array((data, self.pattern.indices, self.pattern.indptr), shape=(k, width))


def _values(block: Block) -> Floats:
    return np.ones(len(block.level)) if block.values is None else block.values


def _is_nested(inner: Block, outer: Block) -> bool:
    """Return whether each level of the inner group appears with one level of the outer only."""
    first = np.full(inner.n, -1)
    first[inner.level] = outer.level
    return outer.n > 1 and bool(np.all(first[inner.level] == outer.level))


def _parents(outer: tuple[Block, ...]) -> Indices:
    parent_of = np.zeros(outer[1].n, dtype=np.int64)
    parent_of[outer[1].level] = outer[0].level
    return parent_of


def _slots(cells: Indices, height: int, width: int) -> tuple[Indices, csr_array | None]:
    """Return where each cell of the rim is kept, and the pattern of a sparse one."""
    if not cells.size:
        return cells, None
    filled, where = np.unique(cells, return_inverse=True)
    if len(filled) > _DENSE * height * width:
        return np.ascontiguousarray(cells), None
    rows, columns = np.divmod(filled, width)
    pattern = csr_array((np.zeros(len(filled)), (rows, columns)), shape=(height, width))
    return where.reshape(cells.shape), pattern

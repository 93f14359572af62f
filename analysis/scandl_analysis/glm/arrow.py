"""Arrow-shaped symmetric matrices: a dense border and thin leaves, factorised without filling in.

The curvature of a model with (1|reader) + (1|sentence) is of this shape: sentences meet only through
the border (slopes and readers), so thousands of levels cost a few megabytes. The tokens of words are
leaves on leaves: each belongs to one sentence, and taking them out leaves the sentences apart.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg import cholesky, solve_triangular
from scipy.linalg.blas import dsyrk
from scipy.sparse import csr_array, diags_array, hstack

from scandl.statistics.bootstrap import Floats
from scandl_analysis.glm.design import Indices

Rim = Floats | csr_array
_DENSE = 0.25
"""Share of filled cells from which on a rim is kept dense."""


@dataclass(frozen=True)
class Leaves:
    """The matrix [[diag(parents), links], [linksᵀ, diag(children)]]: each child meets one parent, if any."""

    parents: Floats  # (M,), empty where leaves do not hang on leaves
    children: Floats  # (J,)
    link: Floats  # (J,) what a child and its parent have in common; empty without parents
    parent_of: Indices  # (J,)

    @classmethod
    def diagonal(cls, values: Floats) -> Leaves:
        """Return leaves that do not meet at all."""
        return cls(np.empty(0), values, np.empty(0), np.empty(0, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.parents) + len(self.children)

    def plus(self, diagonal: Floats) -> Leaves:
        """Return the leaves with a diagonal matrix added."""
        m = len(self.parents)
        return replace(self, parents=self.parents + diagonal[:m], children=self.children + diagonal[m:])

    def times(self, factor: float) -> Leaves:
        """Return the leaves multiplied by a number."""
        return replace(
            self, parents=self.parents * factor, children=self.children * factor, link=self.link * factor
        )

    def product(self, vector: Floats) -> Floats:
        """Return the matrix times a vector."""
        parents, children = self._split(vector)
        above, below = self.parents * parents, self.children * children
        if len(parents):
            above = above + np.bincount(self.parent_of, self.link * children, len(parents))
            below = below + self.link * parents[self.parent_of]
        return np.concatenate([above, below])

    @property
    def pivots(self) -> Floats:
        """The squared diagonal of the factor L: children as they are, parents without their children."""
        return np.concatenate([self._parent_root**2, self.children])

    def whiten(self, vector: Floats) -> Floats:
        """Return L⁻¹ v for the factor L Lᵀ of the matrix; vectors stand in the last axis."""
        parents, children = self._split(vector)
        children = children / self._child_root
        if self.parents.size:
            parents = (parents - folded(children, self.fold)) / self._parent_root
        return np.concatenate([parents, children], axis=-1)

    def colour(self, standard: Floats) -> Floats:
        """Return L⁻ᵀ z, vectors in the last axis."""
        parents, children = self._split(standard)
        if self.parents.size:
            parents = parents / self._parent_root
            children = children - folded(parents, self.unfold)
        return np.concatenate([parents, children / self._child_root], axis=-1)

    def whiten_rows(self, rim: Rim) -> Rim:
        """Return L⁻¹ applied to every row; a sparse rim stays sparse."""
        if isinstance(rim, np.ndarray):
            return self.whiten(rim)
        m = len(self.parents)
        children = rim[:, m:] @ diags_array(1 / self._child_root)
        if not m:
            return csr_array(children)
        parents = (rim[:, :m] - children @ self.unfold) @ diags_array(1 / self._parent_root)
        return csr_array(hstack([parents, children]))

    def _split(self, vector: Floats) -> tuple[Floats, Floats]:
        m = len(self.parents)
        return vector[..., :m], vector[..., m:]

    @cached_property
    def _child_root(self) -> Floats:
        return np.asarray(np.sqrt(self.children))

    @cached_property
    def fold(self) -> csr_array:
        """What a parent and each whitened child have in common, (M, J)."""
        shape = len(self.parents), len(self.children)
        return csr_array((self.link / self._child_root, (self.parent_of, np.arange(shape[1]))), shape=shape)

    @cached_property
    def unfold(self) -> csr_array:
        """The same, transposed."""
        return csr_array(self.fold.T)

    @cached_property
    def _parent_root(self) -> Floats:
        if not self.parents.size:
            return self.parents
        explained = np.bincount(self.parent_of, self.link**2 / self.children, len(self.parents))
        return np.asarray(np.sqrt(self.parents - explained))


@dataclass(frozen=True)
class Arrow:
    """The matrix [[border, rim], [rimᵀ, leaves]], positive definite; the rim may be sparse."""

    border: Floats  # (k, k)
    rim: Rim  # (k, J)
    leaves: Leaves

    @cached_property
    def scaled_rim(self) -> Rim:
        """The rim in coordinates that make the leaves round."""
        return self.leaves.whiten_rows(self.rim)

    @cached_property
    def transposed_rim(self) -> Rim:
        """The same, transposed."""
        scaled = self.scaled_rim
        return np.asarray(scaled.T) if isinstance(scaled, np.ndarray) else csr_array(scaled.T)

    @cached_property
    def root(self) -> Floats:
        """The lower Cholesky factor of the border without what the leaves explain of it."""
        rim = self.scaled_rim
        # Only the lower triangle is read, so half the products do.
        left = (
            dsyrk(-1.0, rim.T, beta=1.0, c=self.border, trans=True, lower=True)
            if isinstance(rim, np.ndarray) and rim.size
            else np.asarray(self.border - _dense(rim @ rim.T))
        )
        return np.asarray(cholesky(left, lower=True, check_finite=False))

    @property
    def pivots(self) -> Floats:
        """What is left of the diagonal when the leaves and the rows before are taken out: L's, squared."""
        return np.concatenate([np.diag(self.root) ** 2, self.leaves.pivots])

    @property
    def log_determinant(self) -> float:
        """The logarithm of the determinant."""
        return float(np.log(self.pivots).sum())

    def plus(self, diagonal: Floats) -> Arrow:
        """Return the matrix with a diagonal one added."""
        k = len(self.border)
        return Arrow(self.border + np.diag(diagonal[:k]), self.rim, self.leaves.plus(diagonal[k:]))

    def times(self, factor: float) -> Arrow:
        """Return the matrix multiplied by a number."""
        return Arrow(self.border * factor, self.rim * factor, self.leaves.times(factor))

    def product(self, vector: Floats) -> Floats:
        """Return the matrix times a vector."""
        border, leaves = self._split(vector)
        return self._join(
            self.border @ border + self.rim @ leaves, self.rim.T @ border + self.leaves.product(leaves)
        )

    def whiten(self, gradient: Floats) -> Floats:
        """Return L⁻¹ g for the factor L Lᵀ of the matrix; vectors stand in the last axis."""
        border, leaves = self._split(gradient)
        leaves = self.leaves.whiten(leaves)
        return self._join(self._forward(border - folded(leaves, self.scaled_rim)), leaves)

    def colour(self, standard: Floats) -> Floats:
        """Return L⁻ᵀ z: standard normal z become normal with the inverse matrix as covariance."""
        border, leaves = self._split(standard)
        border = self._backward(border)
        return self._join(border, self.leaves.colour(leaves - folded(border, self.transposed_rim)))

    def solve(self, vector: Floats) -> Floats:
        """Return the inverse matrix times a vector."""
        return self.colour(self.whiten(vector))

    def _split(self, vector: Floats) -> tuple[Floats, Floats]:
        k = len(self.border)
        return vector[..., :k], vector[..., k:]

    def _join(self, border: Floats, leaves: Floats) -> Floats:
        return np.concatenate([border, leaves], axis=-1)

    @cached_property
    def _inverse_root(self) -> Floats:
        # The border is small and solved against thousands of times: a product beats a solver call.
        return np.asarray(solve_triangular(self.root, np.eye(len(self.border)), lower=True))

    def _forward(self, border: Floats) -> Floats:
        return np.asarray(border @ self._inverse_root.T)

    def _backward(self, border: Floats) -> Floats:
        return np.asarray(border @ self._inverse_root)


def folded(vectors: Floats, matrix: Rim) -> Floats:
    """Return the matrix times each of the vectors, which stand in the last axis."""
    if vectors.ndim == 1:
        return np.asarray(matrix @ vectors)
    flat = matrix @ vectors.reshape(math.prod(vectors.shape[:-1]), -1 if vectors.size else 0).T
    return np.asarray(flat).T.reshape(*vectors.shape[:-1], matrix.shape[0])


def _dense(matrix: Any) -> Floats:
    return np.asarray(matrix if isinstance(matrix, np.ndarray) else matrix.toarray())


@dataclass(frozen=True)
class RimCells:
    """The cells of a rim that rows fill, and how they become a matrix, dense or sparse.

    Where only children are filled, those of a parent are the sums over its children.
    """

    height: int
    width: int  # of what is filled
    n_cells: int
    nest: csr_array | None  # (children, parents), 1 where a child belongs to a parent; of a dense rim
    up: Indices | None  # parent's cell of each cell; of a sparse rim
    pattern: csr_array | None  # numbers of the cells, those of parents first; None where the rim is dense

    @classmethod
    def of(
        cls, cells: Indices, height: int, width: int, parent_of: Indices | None
    ) -> tuple[RimCells, Indices]:
        """Return the rim and where each of the cells is kept."""
        filled, where = np.unique(cells, return_inverse=True)
        if not cells.size or len(filled) > _DENSE * height * width:
            return cls(height, width, height * width, _nest(parent_of), None, None), cells
        rows, columns = np.divmod(filled, width)
        up, above = None, np.empty(0, dtype=np.int64)
        n_parents = 0
        if parent_of is not None:
            n_parents = int(parent_of.max()) + 1
            above, up = np.unique(rows * n_parents + parent_of[columns], return_inverse=True)
        parent_rows, parent_columns = np.divmod(above, max(n_parents, 1))
        numbers = np.arange(len(above) + len(filled), dtype=np.float64)
        places = np.append(parent_rows, rows), np.append(parent_columns, n_parents + columns)
        pattern = csr_array((numbers, places), shape=(height, n_parents + width))
        return cls(height, width, len(filled), None, up, pattern), where.reshape(cells.shape)

    def filled(self, cells: Floats) -> Rim:
        """Return the matrix of filled cells."""
        if self.pattern is None:
            dense = cells.reshape(self.height, self.width)
            return dense if self.nest is None else np.concatenate([dense @ self.nest, dense], axis=1)
        if self.up is not None:
            cells = np.concatenate([np.bincount(self.up, cells), cells])
        data = cells[self.pattern.data.astype(np.int64)]
        return csr_array((data, self.pattern.indices, self.pattern.indptr), shape=self.pattern.shape)


def _nest(parent_of: Indices | None) -> csr_array | None:
    if parent_of is None:
        return None
    return csr_array((np.ones(len(parent_of)), (np.arange(len(parent_of)), parent_of)))

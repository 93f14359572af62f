"""Arrow-shaped symmetric matrices: a dense border and a diagonal, factorised without filling in.

The curvature of a model with (1|reader) + (1|sentence) is of this shape: sentences meet only
through the border (slopes and readers), so thousands of levels cost a few megabytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from scandl_analysis.glm.kernels import Floats


@dataclass(frozen=True)
class Arrow:
    """The matrix [[border, rim], [rimᵀ, diag(leaves)]], positive definite."""

    border: Floats  # (k, k)
    rim: Floats  # (k, J)
    leaves: Floats  # (J,)

    @cached_property
    def _root(self) -> Floats:
        """The lower Cholesky factor of the border without what the leaves explain of it."""
        return np.asarray(cholesky(self.border - (self.rim / self.leaves) @ self.rim.T, lower=True))

    @cached_property
    def _leaf_root(self) -> Floats:
        return np.asarray(np.sqrt(self.leaves))

    @cached_property
    def _scaled_rim(self) -> Floats:
        return np.asarray(self.rim / self._leaf_root)

    @property
    def log_determinant(self) -> float:
        """The logarithm of the determinant."""
        return float(2 * np.log(np.diag(self._root)).sum() + np.log(self.leaves).sum())

    def whiten(self, gradient: Floats) -> Floats:
        """Return L⁻¹ g for the factor L Lᵀ of the matrix; vectors stand in the last axis."""
        border, leaves = self._split(gradient)
        leaves = leaves / self._leaf_root
        return self._join(self._forward(border - leaves @ self._scaled_rim.T), leaves)

    def colour(self, standard: Floats) -> Floats:
        """Return L⁻ᵀ z: standard normal z become normal with the inverse matrix as covariance."""
        border, leaves = self._split(standard)
        border = self._backward(border)
        return self._join(border, (leaves - border @ self._scaled_rim) / self._leaf_root)

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
        return np.asarray(solve_triangular(self._root, np.eye(len(self.border)), lower=True))

    def _forward(self, border: Floats) -> Floats:
        return np.asarray(border @ self._inverse_root.T)

    def _backward(self, border: Floats) -> Floats:
        return np.asarray(border @ self._inverse_root)

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from scandl.statistics.bootstrap import Floats
from scandl_analysis.glm.arrow import Arrow, Leaves


def made_leaves(parents: int, children: int, rng: np.random.Generator) -> tuple[Leaves, Floats]:
    """Return leaves and the same matrix written out."""
    if not parents:
        diagonal = rng.uniform(1, 3, children)
        return Leaves.diagonal(diagonal), np.diag(diagonal)
    parent_of = rng.integers(0, parents, children)
    link = rng.normal(size=children)
    below = rng.uniform(1, 3, children)
    above = rng.uniform(1, 2, parents) + np.bincount(parent_of, link**2 / below, parents)
    links = np.zeros((parents, children))
    links[parent_of, np.arange(children)] = link
    dense = np.block([[np.diag(above), links], [links.T, np.diag(below)]])
    return Leaves(above, below, link, parent_of), dense


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize(
    ("k", "parents", "children"), [(3, 0, 5), (4, 0, 0), (1, 0, 40), (3, 4, 20), (2, 3, 1)]
)
def test_agrees_with_the_dense_matrix(k: int, parents: int, children: int, sparse: bool) -> None:
    rng = np.random.default_rng(k)
    leaves, dense_leaves = made_leaves(parents, children, rng)
    rim = rng.normal(size=(k, parents + children)) * rng.integers(0, 2, (k, parents + children))
    border = rim @ np.linalg.inv(dense_leaves) @ rim.T + np.diag(rng.uniform(1, 2, k))
    arrow = Arrow(border, csr_array(rim) if sparse else rim, leaves)
    dense = np.block([[border, rim], [rim.T, dense_leaves]])
    vector = rng.normal(size=len(dense))
    assert arrow.log_determinant == pytest.approx(np.linalg.slogdet(dense)[1])
    # Taken out in the order children, parents, border, each pivot is what the earlier ones leave.
    order = np.r_[k + parents : len(dense), k : k + parents, :k]
    root = np.linalg.cholesky(dense[np.ix_(order, order)])
    np.testing.assert_allclose(arrow.pivots[order], np.diag(root) ** 2)
    np.testing.assert_allclose(arrow.product(vector), dense @ vector, atol=1e-12)
    np.testing.assert_allclose(arrow.solve(vector), np.linalg.solve(dense, vector))
    # Colouring the unit vectors must give a root of the inverse, and whitening must be its transpose.
    root = arrow.colour(np.eye(len(dense))).T
    np.testing.assert_allclose(root @ root.T, np.linalg.inv(dense), atol=1e-12)
    np.testing.assert_allclose(arrow.whiten(vector), root.T @ vector, atol=1e-12)
    many = rng.normal(size=(2, 3, len(dense)))
    np.testing.assert_allclose(arrow.colour(many)[1, 2], arrow.colour(many[1, 2]), atol=1e-12)
    added = rng.uniform(size=len(dense))
    np.testing.assert_allclose(
        arrow.times(2.0).plus(added).product(vector), 2 * dense @ vector + added * vector, atol=1e-12
    )

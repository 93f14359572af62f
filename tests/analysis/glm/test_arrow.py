from __future__ import annotations

import numpy as np
import pytest

from scandl_analysis.glm.arrow import Arrow


@pytest.mark.parametrize(("k", "leaves"), [(3, 5), (4, 0), (1, 40)])
def test_agrees_with_the_dense_matrix(k: int, leaves: int) -> None:
    rng = np.random.default_rng(k)
    rim = rng.normal(size=(k, leaves))
    diagonal = rng.uniform(1, 3, leaves)
    border = rim / diagonal @ rim.T + np.diag(rng.uniform(1, 2, k))
    arrow = Arrow(border, rim, diagonal)
    dense = np.block([[border, rim], [rim.T, np.diag(diagonal)]])
    vector = rng.normal(size=k + leaves)
    assert arrow.log_determinant == pytest.approx(np.linalg.slogdet(dense)[1])
    np.testing.assert_allclose(arrow.solve(vector), np.linalg.solve(dense, vector))
    # Colouring the unit vectors must give a root of the inverse, and whitening must be its transpose.
    root = arrow.colour(np.eye(k + leaves)).T
    np.testing.assert_allclose(root @ root.T, np.linalg.inv(dense), atol=1e-12)
    np.testing.assert_allclose(arrow.whiten(vector), root.T @ vector, atol=1e-12)

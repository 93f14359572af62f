"""Cross products: the sums over rows are the matrix products they stand for."""

from __future__ import annotations

import numpy as np
import pytest

from scandl.errors import ScandlError
from scandl_analysis.piloting.crossed_rows import CrossedRows, GroupTerms, cross_products


def some_rows(seed: int = 1) -> CrossedRows:
    rng = np.random.default_rng(seed)
    n = 60
    x = np.column_stack([np.ones(n), rng.choice([-0.5, 0.5], n)])
    readers = GroupTerms("reader", np.r_[np.arange(6), rng.integers(0, 6, n - 6)], (0, 1))
    items = GroupTerms("item", np.r_[np.arange(5), rng.integers(0, 5, n - 5)], (0,))
    return CrossedRows(rng.normal(size=n), x, (readers, items))


def dense(rows: CrossedRows) -> np.ndarray:
    """Write the columns of (X, Z) out."""
    columns = [rows.x]
    for group in rows.groups:
        indicator = np.eye(group.n_levels)[group.levels]
        columns += [indicator * rows.x[:, [k]] for k in group.columns]
    return np.concatenate(columns, axis=1)


@pytest.mark.parametrize("weighted", [False, True])
def test_sums_are_matrix_products(weighted):
    rows = some_rows()
    weights = np.random.default_rng(2).uniform(0.1, 2.0, len(rows.y)) if weighted else None
    found = cross_products(rows, rows.cells(), rows.y, weights)
    m, w = dense(rows), np.diag(weights if weights is not None else np.ones(len(rows.y)))
    np.testing.assert_allclose(found.mm, m.T @ w @ m, atol=1e-12)
    np.testing.assert_allclose(found.my, m.T @ w @ rows.y, atol=1e-12)
    assert found.yy == pytest.approx(rows.y @ w @ rows.y)
    assert (found.n_rows, found.n_effects, found.sizes) == (60, 2, (6, 6, 5))
    assert rows.blocks == (("reader:0", 6), ("reader:1", 6), ("item:0", 5))


def test_a_model_of_too_many_effects_is_refused():
    many = GroupTerms("reader", np.arange(20_000), (0,))
    rows = CrossedRows(np.zeros(20_000), np.ones((20_000, 1)), (many,))
    with pytest.raises(ScandlError, match="20,001 effects is too large"):
        cross_products(rows, rows.cells(), rows.y)

"""The rows of an experiment with crossed readers and items, and the cross products a mixed model needs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scandl.errors import ScandlError
from scandl.statistics.bootstrap import Floats

Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class GroupTerms:
    """The effects that differ between the levels of one factor: which columns of the design, which levels."""

    name: str
    levels: Indices  # of each row, from 0
    columns: tuple[int, ...]  # of the design; 0 is the intercept

    @property
    def n_levels(self) -> int:
        """The number of levels."""
        return int(self.levels.max()) + 1


@dataclass(frozen=True, slots=True)
class CrossedRows:
    """Outcomes, the design of the effects common to all, and the effects of groups, all uncorrelated."""

    y: Floats  # (n,)
    x: Floats  # (n, p), the first column is 1
    groups: tuple[GroupTerms, ...]

    @property
    def blocks(self) -> tuple[tuple[str, int], ...]:
        """Each variance component by name and levels: ``("reader:1", 48)`` is a slope of readers."""
        return tuple((f"{g.name}:{k}", g.n_levels) for g in self.groups for k in g.columns)

    def cells(self) -> tuple[Indices, Floats]:
        """Return for each row the columns of (X, Z) that are not 0, and their values, (n, r) each."""
        n, p = self.x.shape
        places = [np.broadcast_to(np.arange(p), (n, p))]
        values = [self.x]
        start = p
        for group in self.groups:
            for column in group.columns:
                places.append((start + group.levels)[:, None])
                values.append(self.x[:, [column]])
                start += group.n_levels
        return np.concatenate(places, axis=1), np.concatenate(values, axis=1)


@dataclass(frozen=True, slots=True)
class CrossProducts:
    """What a Gaussian mixed model needs to know of its data, M = (X, Z) and W the weights."""

    mm: Floats  # M'WM, (m, m)
    my: Floats  # M'Wy, (m,)
    yy: float  # y'Wy
    n_rows: int
    n_effects: int  # columns of X
    sizes: tuple[int, ...]  # levels of each variance component, in the order of Z


def cross_products(
    rows: CrossedRows, cells: tuple[Indices, Floats], y: Floats, weights: Floats | None = None
) -> CrossProducts:
    """Sum the products over rows; each row touches a few columns, so this is no matrix product.

    >>> readers = GroupTerms("reader", np.array([0, 1]), (0,))
    >>> one = CrossedRows(np.array([2.0, 3.0]), np.ones((2, 1)), (readers,))
    >>> cross_products(one, one.cells(), one.y).mm
    array([[2., 1., 1.],
           [1., 1., 0.],
           [1., 0., 1.]])
    """
    places, values = cells
    sizes = tuple(size for _, size in rows.blocks)
    m = rows.x.shape[1] + sum(sizes)
    if m >= 20_000:
        raise ScandlError(f"a mixed model of {m:,} effects is too large for this engine; take fewer readers")
    weighted = values if weights is None else values * weights[:, None]
    pairs = places[:, :, None] * m + places[:, None, :]
    products = weighted[:, :, None] * values[:, None, :]
    mm: Floats = np.bincount(pairs.ravel(), products.ravel(), minlength=m * m).reshape(m, m).astype(float)
    my: Floats = np.bincount(places.ravel(), (weighted * y[:, None]).ravel(), minlength=m).astype(float)
    yy = float(y @ y if weights is None else (weights * y) @ y)
    return CrossProducts(mm, my, yy, len(y), rows.x.shape[1], sizes)

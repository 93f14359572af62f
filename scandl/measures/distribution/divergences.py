"""How far two distributions on a line are apart."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def wasserstein(support: Array, p: Array, q: Array) -> Array:
    """Return the 1-Wasserstein distance: how far mass must be moved, in the unit of ``support``.

    ``support`` ascends; the last axis of ``p`` and ``q`` holds the mass on each of its values and
    need not sum to 1. Where a side has none the distance is NaN.

    >>> float(wasserstein(np.array([0.0, 1.0, 3.0]), np.array([1.0, 0, 0]), np.array([0, 0, 2.0])))
    3.0
    """
    apart = np.abs(np.cumsum(_share(p), axis=-1) - np.cumsum(_share(q), axis=-1))
    moved = (apart[..., :-1] * np.diff(support)).sum(axis=-1)
    return np.where(_exist(p, q), moved, np.nan)


def jensen_shannon(p: Array, q: Array) -> Array:
    """Return the Jensen–Shannon divergence in bits: 0 is equal, 1 is disjoint.

    >>> float(jensen_shannon(np.array([1.0, 1.0]), np.array([3.0, 3.0])))
    0.0
    >>> float(jensen_shannon(np.array([1.0, 0.0]), np.array([0.0, 1.0])))
    1.0
    """
    shares = _share(p), _share(q)
    middle = 0.5 * (shares[0] + shares[1])
    bits = 0.5 * sum(_relative_entropy(share, middle) for share in shares)
    return np.where(_exist(p, q), np.maximum(bits, 0.0), np.nan)  # rounding can leave −1e-17


def _share(mass: Array) -> Array:
    total = mass.sum(axis=-1, keepdims=True)
    return mass / np.where(total > 0, total, 1.0)


def _exist(p: Array, q: Array) -> NDArray[np.bool_]:
    """Say where both sides have any mass; elsewhere there is no distance."""
    return np.asarray((p.sum(axis=-1) > 0) & (q.sum(axis=-1) > 0))


def _relative_entropy(p: Array, q: Array) -> Array:
    held = p > 0
    ratio = np.where(held, p, 1.0) / np.where(held, q, 1.0)
    return np.asarray((p * np.log2(ratio)).sum(axis=-1))

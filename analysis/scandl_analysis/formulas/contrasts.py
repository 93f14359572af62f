"""How the levels of a factor become columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from scandl.registry import Registry
from scandl.statistics.bootstrap import Floats

Coding = Callable[[Sequence[str]], tuple[list[str], Floats]]
"""From the levels to a name for each column and the matrix (level, column)."""

CONTRASTS: Registry[Coding] = Registry("contrast")


@CONTRASTS.register("treatment")
def treatment(levels: Sequence[str]) -> tuple[list[str], Floats]:
    """Compare each level with the first.

    >>> treatment(["a", "b", "c"])[0]
    ['b', 'c']
    """
    return list(levels[1:]), np.eye(len(levels))[:, 1:]


@CONTRASTS.register("sum")
def sum_to_zero(levels: Sequence[str]) -> tuple[list[str], Floats]:
    """Compare each level but the last with the mean of all.

    >>> sum_to_zero(["a", "b"])
    (['S.a'], array([[ 1.],
           [-1.]]))
    """
    k = len(levels)
    matrix = np.eye(k)[:, : k - 1]
    matrix[-1] = -1
    return [f"S.{level}" for level in levels[:-1]], matrix


@CONTRASTS.register("sdif")
def successive_differences(levels: Sequence[str]) -> tuple[list[str], Floats]:
    """Compare each level with the one before it; the intercept is the mean of all.

    >>> successive_differences(["a", "b"])
    (['b-a'], array([[-0.5],
           [ 0.5]]))
    """
    k = len(levels)
    below, j = np.arange(k)[:, None], np.arange(1, k)[None]
    matrix = np.where(below < j, -(k - j) / k, j / k)
    return [f"{late}-{early}" for early, late in pairwise(levels)], matrix


def indicators(levels: Sequence[str]) -> tuple[list[str], Floats]:
    """Give each level a column of its own; used where no intercept stands beside them."""
    return list(levels), np.eye(len(levels))

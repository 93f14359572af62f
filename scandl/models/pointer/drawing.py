"""Drawing by one uniform number, in such a way that the company a path is drawn in does not matter."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from scandl.models.pointer.runners.runner import Flags, Ints

Array = NDArray[np.float64]

MARGIN = 3e-6  # of a random number to the border between two outcomes; rounding errors were 3e-7 at most


def draw(logits: Array, u: Array, margin: float = MARGIN) -> tuple[Ints, Flags]:
    """Return the outcome each uniform number stands for, and whether it is clear of the borders.

    What a network computes differs in its last digits from batch to batch. A path for which that
    could matter is drawn again by itself.

    >>> draw(np.log([[0.25, 0.25, 0.5]]), np.array([0.4]))
    (array([1]), array([ True]))
    """
    return draw_below(softmax(logits, axis=1).cumsum(axis=1), u, margin)


def draw_below(below: Array, u: Array, margin: float = MARGIN) -> tuple[Ints, Flags]:
    """Do the same for cumulative probabilities, (n, outcomes) and (n,)."""
    borders = below[:, :-1]
    drawn = (borders <= u[:, None]).sum(axis=1)
    return drawn, np.abs(borders - u[:, None]).min(axis=1, initial=1.0) >= margin

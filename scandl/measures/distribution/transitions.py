"""How the eyes go on after a step: the transition matrix of step classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scandl.measures.distribution.features import LONGEST_STEP, step_class, steps

Array = NDArray[np.float64]

_STEPS = tuple(f"{step:+d}" for step in range(-LONGEST_STEP, LONGEST_STEP + 1))
FROM = ("START", *_STEPS)
TO = (*_STEPS, "END")


@dataclass(frozen=True, slots=True)
class Transitions:
    """P(next step | this step) on both sides; rows ``FROM``, columns ``TO``, NaN where never left."""

    human: Array
    model: Array
    difference: float  # mean total variation between the rows, each weighted as often as humans use it


def transition_counts(path: Sequence[int]) -> Array:
    """Count how often each class of ``TO`` follows each class of ``FROM``.

    The first fixation is a step from before the first word. A path without fixations counts nothing.

    >>> found = transition_counts([0, 1, 5])
    >>> int(found[FROM.index("START"), TO.index("+1")]), int(found[FROM.index("+1"), TO.index("+3")])
    (1, 1)
    >>> int(found[FROM.index("+3"), TO.index("END")]), int(found.sum())
    (1, 4)
    """
    counts = [0.0] * (len(FROM) * len(TO))
    before = 0
    for step in steps([-1, *path]) if path else ():
        after = step_class(step) + LONGEST_STEP
        counts[before * len(TO) + after] += 1.0
        before = after + 1
    counts[before * len(TO) + len(TO) - 1] += bool(path)
    return np.array(counts).reshape(len(FROM), len(TO))


def compare_transitions(human: Array, model: Array) -> Transitions:
    """Turn the counts of both sides into probabilities and their difference."""
    (p, used), (q, _) = _rows(human), _rows(model)
    apart = 0.5 * np.abs(p - q).sum(axis=1)
    # A row that humans use and the model never reaches is as far off as can be.
    apart = np.where(np.isnan(apart), 1.0, apart)
    return Transitions(p, q, float(apart @ used / used.sum()))


def _rows(counts: Array) -> tuple[Array, Array]:
    """Return the rows as probabilities, and the total of each."""
    total = counts.sum(axis=1)
    return counts / np.where(total > 0, total, np.nan)[:, None], total

"""Scasim: how far two scanpaths differ in place and time (von der Malsburg & Vasishth, 2011)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from scandl.measures.pair.alignment import Floats, alignment_cost, gaps

if TYPE_CHECKING:
    from scandl.pairing import Instance

Fixation: TypeAlias = tuple[int, float]
"""(word position, ms)"""
Normalisation: TypeAlias = Literal["none", "fixations", "duration"]

DROP_OFF = 0.83  # μ per degree: how acuity, and with it similarity, falls with the distance


def scasim(
    human: Sequence[Fixation],
    predicted: Sequence[Fixation],
    *,
    degrees_per_word: float = 1.0,
    normalise: Normalisation = "none",
) -> float:
    """Return the cost in ms of turning one path of (word, ms) into the other.

    A fixation is inserted or deleted at the price of its duration. Two fixations θ degrees apart
    are exchanged at |d1 − d2|·μ + (d1 + d2)(1 − μ) with μ = 0.83^θ. On a line of words θ is
    ``degrees_per_word`` times the number of words between them: a choice to report with the number.

    >>> round(scasim([(1, 200), (2, 250), (4, 180)], [(1, 210), (3, 240)]), 5)
    281.6
    >>> scasim([], [(1, 210), (3, 240)])
    450.0
    >>> scasim([(1, 200)], [(1, 300)], normalise="duration")
    0.2
    """
    (words_a, ms_a), (words_b, ms_b) = _columns(human), _columns(predicted)
    mu = DROP_OFF ** (degrees_per_word * gaps(words_a, words_b))
    substitution = gaps(ms_a, ms_b) * mu + (ms_a[:, None] + ms_b[None, :]) * (1.0 - mu)
    cost = alignment_cost(substitution, ms_a, ms_b)
    if normalise == "none":
        return cost
    total = len(ms_a) + len(ms_b) if normalise == "fixations" else float(ms_a.sum() + ms_b.sum())
    return cost / total if total else 0.0


def score(instances: Sequence[Instance], *, normalise: Normalisation = "none") -> Floats:
    """Return scasim at one degree per word for each instance; NaN where durations are unknown."""
    values = np.full(len(instances), np.nan)
    for i, instance in enumerate(instances):
        human, predicted = instance.human_durations, instance.prediction.durations
        if human is not None and predicted is not None:
            values[i] = scasim(
                list(zip(instance.human, human, strict=True)),
                list(zip(instance.prediction.predicted, predicted, strict=True)),
                normalise=normalise,
            )
    return values


def _columns(path: Sequence[Fixation]) -> tuple[Floats, Floats]:
    """Return words and durations."""
    table = np.array(path, dtype=np.float64).reshape(-1, 2)
    return np.ascontiguousarray(table[:, 0]), np.ascontiguousarray(table[:, 1])

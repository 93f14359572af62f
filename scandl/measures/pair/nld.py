"""The Levenshtein distances of ``scandl.statistics.distances`` as scores of instances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from scandl.files.symbol_repair import frame, remove_pad
from scandl.statistics.distances import (
    BIN_MS,
    KERNELS,
    Floats,
    Kernel,
    in_bins,
    levenshtein,
    nld,
    nld_scandl,
    paired,
    pairwise,
    yujian_bo,
)

if TYPE_CHECKING:
    from scandl.pairing import Instance

__all__ = [
    "KERNELS",
    "Floats",
    "Kernel",
    "levenshtein",
    "nld",
    "nld_scandl",
    "paired",
    "pairwise",
    "score",
    "score_scandl",
    "score_timed",
    "yujian_bo",
]


def score(instances: Sequence[Instance], *, kernel: str = "nld") -> Floats:
    """Return the distance of each instance's human and predicted path."""
    humans = [instance.human for instance in instances]
    return paired(humans, [instance.prediction.predicted for instance in instances], kernel)


def score_timed(instances: Sequence[Instance], *, bin_ms: float = BIN_MS) -> Floats:
    """Return NLD of the paths written in bins of time; NaN where durations are unknown."""
    values = np.full(len(instances), np.nan)
    rows, humans, predicted = [], [], []
    for i, instance in enumerate(instances):
        durations, p = instance.human_durations, instance.prediction
        if durations is not None and p.durations is not None:
            rows.append(i)
            humans.append(in_bins(instance.human, durations, bin_ms))
            predicted.append(in_bins(p.predicted, p.durations, bin_ms))
    values[rows] = paired(humans, predicted)
    return values


def score_scandl(instances: Sequence[Instance]) -> Floats:
    """Return NLD with CLS and SEP, the way the published numbers were made.

    A model's raw symbols, where the file has them, count as they stand, only trailing PAD removed:
    a missing or an inner SEP costs. Otherwise both paths are framed.
    """
    values = score(instances, kernel="nld-scandl")
    for i, instance in enumerate(instances):
        if instance.prediction.raw is not None and instance.n_words is not None:
            human = frame(instance.human, instance.n_words)
            values[i] = nld(human, remove_pad(instance.prediction.raw))
    return values

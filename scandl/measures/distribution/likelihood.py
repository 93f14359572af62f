"""How probable human scanpaths are under a model (Kümmerer & Bethge, 2021).

Only some models can say: a diffusion model such as ScanDL has no tractable likelihood. The end of a
path is an event as every fixation is, so a path of N fixations has N + 1 events.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scandl.errors import ScandlError
from scandl.statistics.clustered import codes, ratio_uncertainty

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Likelihood:
    """Bits per event over all human paths."""

    bits: float
    ci95: tuple[float, float] | None  # over other readers and sentences
    n_paths: int
    n_events: int


def bits_per_event(log_probs: Sequence[float], n_fixations: Sequence[int]) -> float:
    """Return the mean log2 probability of a fixation or end, given natural log-probabilities of paths.

    >>> round(bits_per_event([3 * math.log(0.5), math.log(0.25)], n_fixations=[2, 0]), 9)  # −5 bits / 4
    -1.25
    """
    if len(log_probs) != len(n_fixations):
        raise ScandlError(f"likelihood: {len(log_probs)} log-probabilities for {len(n_fixations)} scanpaths")
    events = sum(n_fixations) + len(n_fixations)
    if not events:
        return math.nan
    return math.fsum(log_probs) / math.log(2.0) / events


def information_gain(
    log_probs: Sequence[float], baseline: Sequence[float], n_fixations: Sequence[int]
) -> float:
    """Return how many bits per event the model knows more than the baseline about the same paths.

    >>> information_gain([2 * math.log(0.5)], [2 * math.log(0.25)], n_fixations=[1])
    1.0
    """
    return bits_per_event(log_probs, n_fixations) - bits_per_event(baseline, n_fixations)


def likelihood(
    log_probs: Sequence[float],
    n_fixations: Sequence[int],
    readers: Sequence[str] | None,
    sentences: Sequence[str],
    *,
    baseline: Sequence[float] | None = None,
) -> Likelihood:
    """Return bits per event, or the information gain over a baseline, with its interval.

    A path that the model holds impossible makes both −∞, which is the truth about that model; there
    is then no interval.
    """
    gained = np.array(log_probs, dtype=np.float64)
    point = bits_per_event(log_probs, n_fixations)
    if baseline is not None:
        point = information_gain(log_probs, baseline, n_fixations)
        with np.errstate(invalid="ignore"):  # what both hold impossible
            gained = gained - np.array(baseline, dtype=np.float64)
    events = np.array(n_fixations, dtype=np.float64) + 1.0
    ci95 = None
    if len(gained) and np.isfinite(gained).all():
        reader = None if readers is None else codes(readers)
        bits = (gained / math.log(2.0))[:, None]
        ci95 = ratio_uncertainty(bits, events[:, None], reader, codes(sentences)).interval(point, [1.0])
    return Likelihood(point, ci95, len(log_probs), int(events.sum()))

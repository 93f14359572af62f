"""How the durations of generated fixations differ from those of readers, on the log scale.

Each statistic comes with what every fixation contributes to it: its influence, so that sums over a
reader or a sentence tell how much the value depends on them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scandl.records import Scanpath
from scandl_eval.distributions.divergences import wasserstein

Array = NDArray[np.float64]


class Influence(NamedTuple):
    """A statistic of two samples, and what each of their values contributes to it."""

    value: float
    human: Array
    model: Array


Statistic = Callable[[Array, Array], Influence]
"""(log durations of readers, of a model) -> the statistic."""


def log_durations(path: Scanpath) -> list[float]:
    """Return the log durations of a path without its first fixation, which may begin before the text does.

    >>> [round(x, 3) for x in log_durations(Scanpath("r1", "s1", (0, 1, 2), (90, 200, 250)))]
    [5.298, 5.521]
    """
    return [math.log(ms) for ms in (path.durations or ())[1:]]


def pooled(paths: Sequence[Scanpath]) -> tuple[Array, NDArray[np.intp]]:
    """Return the log durations of all paths, and which path each is of."""
    logs = [log_durations(path) for path in paths]
    values = np.array([x for own in logs for x in own], dtype=np.float64)
    return values, np.repeat(np.arange(len(paths)), [len(own) for own in logs])


def mean_ratio(human: Array, model: Array) -> Influence:
    """Return the ratio of the geometric means, model over readers: 1 is equally long.

    >>> round(mean_ratio(np.log([100.0, 400.0]), np.log([100.0, 100.0])).value, 12)
    0.5
    """
    ratio = math.exp(model.mean() - human.mean())
    return Influence(ratio, -ratio * _deviations(human), ratio * _deviations(model))


def sd_ratio(human: Array, model: Array) -> Influence:
    """Return the ratio of the standard deviations of log durations: 1 is equally varied.

    >>> round(sd_ratio(np.log([100.0, 400.0]), np.log([100.0, 200.0])).value, 12)
    0.5
    """
    of_human, of_model = float(human.std()), float(model.std())
    if not of_human:
        return Influence(math.nan, np.zeros(len(human)), np.zeros(len(model)))
    ratio = of_model / of_human
    by_human = -ratio * _deviations((human - human.mean()) ** 2) / (2.0 * of_human**2)
    spread = 2.0 * of_model * of_human
    squares = _deviations((model - model.mean()) ** 2)
    return Influence(ratio, by_human, squares / spread if spread else np.zeros(len(model)))


def log_wasserstein(human: Array, model: Array) -> Influence:
    """Return the 1-Wasserstein distance of log durations: .1 is about 10 % of a duration to be moved.

    >>> round(log_wasserstein(np.log([100.0, 200.0]), np.log([110.0, 220.0])).value, 4)  # ln 1.1
    0.0953
    """
    support, place = np.unique(np.concatenate([human, model]), return_inverse=True)
    at_human, at_model = place[: len(human)], place[len(human) :]
    counts = [np.bincount(at, minlength=len(support)) for at in (at_human, at_model)]
    of_human, of_model = (each.astype(np.float64) for each in counts)
    gap = np.cumsum(of_model) / len(model) - np.cumsum(of_human) / len(human)
    # A value at x lifts its distribution function right of x: d|gap| is the sign of the gap there.
    moves = np.append((np.sign(gap[:-1]) * np.diff(support))[::-1].cumsum()[::-1], 0.0)
    value = float(wasserstein(support, of_model, of_human))
    return Influence(value, -_deviations(moves[at_human]), _deviations(moves[at_model]))


DURATION_STATISTICS: Mapping[str, Statistic] = {
    "duration-wasserstein": log_wasserstein,
    "duration-mean-ratio": mean_ratio,
    "duration-sd-ratio": sd_ratio,
}


def _deviations(values: Array) -> Array:
    """Return what each value contributes to a mean."""
    return (values - values.mean()) / len(values)

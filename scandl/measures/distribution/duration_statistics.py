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

from scandl.measures.distribution.divergences import wasserstein
from scandl.records import Scanpath

Array = NDArray[np.float64]


class Influence(NamedTuple):
    """A statistic of two samples, and what each of their values contributes to it."""

    value: float
    human: Array
    model: Array


Statistic = Callable[[Array, Array], Influence]
"""(log durations of readers, of a model) -> the statistic."""


FIXATION_KINDS = ("single", "first", "refixation", "regression")
"""The only fixation of a first pass, the first of several, a later one on the word; after a regression."""


def fixation_kinds(words: Sequence[int]) -> list[str]:
    """Return the kind of every fixation; nothing for those that move forward over words already passed.

    >>> fixation_kinds([0, 2, 2, 1, 2, 3])
    ['single', 'first', 'refixation', 'regression', '', 'single']
    """
    kinds: list[str] = []
    furthest = -1
    for i, word in enumerate(words):
        before = words[i - 1] if i else -1
        if word == before:
            if kinds[-1] == "single":
                kinds[-1] = "first"
            kinds.append("refixation")
        elif word < before:
            kinds.append("regression")
        else:
            kinds.append("single" if word > furthest else "")
        furthest = max(furthest, word)
    return kinds


def log_durations(path: Scanpath, kind: str = "") -> list[float]:
    """Return the log durations of a path without its first fixation, which may begin before the text does.

    ``kind`` chooses fixations of one kind.

    >>> [round(x, 3) for x in log_durations(Scanpath("r1", "s1", (0, 1, 2), (90, 200, 250)))]
    [5.298, 5.521]
    """
    durations = (path.durations or ())[1:]
    if not kind:
        return [math.log(ms) for ms in durations]
    kinds = fixation_kinds(path.positions)[1:]
    return [math.log(ms) for ms, own in zip(durations, kinds, strict=True) if own == kind]


def pooled(paths: Sequence[Scanpath], kind: str = "") -> tuple[Array, NDArray[np.intp]]:
    """Return the log durations of all paths, of one kind where one is named, and which path each is of."""
    logs = [log_durations(path, kind) for path in paths]
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
BY_KIND: Mapping[str, tuple[str, str]] = {
    f"{name}-{kind}": (name, kind) for name in DURATION_STATISTICS for kind in FIXATION_KINDS
}
"""The same of one kind of fixation: the statistic, and the kind."""


def _deviations(values: Array) -> Array:
    """Return what each value contributes to a mean."""
    return (values - values.mean()) / len(values)

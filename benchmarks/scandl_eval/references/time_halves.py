"""What readers reach in the metrics of durations: one random half of them against the other."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from scandl.measures.distribution.divergences import wasserstein
from scandl.measures.distribution.duration_statistics import BY_KIND, DURATION_STATISTICS, pooled
from scandl.measures.distribution.word_times import (
    OTHER_TIMES,
    WORD_TIMES,
    correlation,
    spearman_brown,
    word_places,
    word_times,
)
from scandl.pairing import Humans
from scandl.records import Scanpath
from scandl.seeds import stream
from scandl.statistics.distances import with_durations
from scandl.statistics.energy import SPLITS, Halves

Array = NDArray[np.float64]
Booleans = NDArray[np.bool_]
Value = Callable[[Booleans], float]
"""(which paths are of the first half) -> the metric between the halves."""
FEWEST = 4  # readers, so that a half is a group


def time_halves(humans: Humans, metric: str, *, seed: int, splits: int = SPLITS) -> Halves | None:
    """Return the metric between random halves of the readers; None where fewer than four have durations.

    A reader is on the same side in every sentence. A correlation of two halves is raised to that of
    groups as large as all readers together (Spearman-Brown).
    """
    known = {sentence: with_durations(paths) for sentence, paths in humans.items()}
    paths = [path for found in known.values() for path in found]
    names, reader = np.unique([path.reader_id for path in paths], return_inverse=True)
    n_readers = len(names)
    if n_readers < FEWEST:
        return None
    halves = np.tile(np.arange(n_readers) < n_readers // 2, (splits, 1))
    drawn = stream(seed, "halves").permuted(halves, axis=1)
    by_word = metric == WORD_TIMES or metric in OTHER_TIMES
    value = _word_value(known, paths, metric) if by_word else _duration_value(paths, metric)
    found = [value(side[reader]) for side in drawn]
    values = [each for each in found if math.isfinite(each)]
    if not values:
        return None
    low, high = np.quantile(values, [0.025, 0.975])
    n_sentences = sum(bool(own) for own in known.values())
    return Halves(float(np.mean(values)), (float(low), float(high)), n_sentences)


def _duration_value(paths: Sequence[Scanpath], metric: str) -> Value:
    statistic, kind = BY_KIND.get(metric, (metric, ""))
    ms, path = pooled(paths, kind)
    if not len(ms):
        return lambda _: math.nan
    if statistic == "duration-wasserstein":
        return _wasserstein_value(ms, path)

    def value(first: Booleans) -> float:
        side = first[path]
        one, other = ms[side], ms[~side]
        return DURATION_STATISTICS[statistic](one, other).value if len(one) and len(other) else math.nan

    return value


def _wasserstein_value(ms: Array, path: NDArray[np.intp]) -> Value:
    """Sort all durations once: each half is a number of fixations at each duration."""
    support, place = np.unique(ms, return_inverse=True)
    every = np.bincount(place, minlength=len(support)).astype(np.float64)

    def value(first: Booleans) -> float:
        one = np.bincount(place[first[path]], minlength=len(support)).astype(np.float64)
        return float(wasserstein(support, one, every - one))

    return value


def _word_value(known: Humans, paths: Sequence[Scanpath], metric: str) -> Value:
    times = word_times(paths, word_places([known]), metric)

    def value(first: Booleans) -> float:
        side = first[times.reading]
        return spearman_brown(correlation(times.of(side).means, times.of(~side).means).value)

    return value

"""Whether a model looks long at the words that readers look long at."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scandl.measures.gaze_durations import first_fixations, gaze_durations, total_times
from scandl.records import Scanpath

Array = NDArray[np.float64]
Codes = NDArray[np.intp]
WORD_TIMES = "word-time-correlation"
OTHER_TIMES = {f"{WORD_TIMES}-FFD": first_fixations, f"{WORD_TIMES}-TFT": total_times}
"""The same of first fixations and of total times instead of gaze durations."""
Word = tuple[str, int]
"""(sentence, position)"""


@dataclass(frozen=True, slots=True)
class WordTimes:
    """Gaze durations, one per reading of a word that has one."""

    word: Codes  # (n,) which of the words
    reading: Codes  # (n,) which of the paths
    ms: Array  # (n,)
    n_words: int

    @property
    def counts(self) -> Array:
        """The number of gaze durations of each word."""
        return np.bincount(self.word, minlength=self.n_words).astype(np.float64)

    @property
    def means(self) -> Array:
        """The mean gaze duration of each word; NaN where there is none."""
        sums = np.bincount(self.word, self.ms, minlength=self.n_words)
        counts = self.counts
        return np.where(counts > 0, sums / np.maximum(counts, 1.0), np.nan)

    def of(self, chosen: NDArray[np.bool_]) -> WordTimes:
        """Return some of the gaze durations."""
        return WordTimes(self.word[chosen], self.reading[chosen], self.ms[chosen], self.n_words)

    def moved(self, slope: Array) -> Array:
        """Return what each gaze duration contributes where the means count by ``slope``."""
        deviation = self.ms - self.means[self.word]
        return slope[self.word] * deviation / self.counts[self.word]


def word_places(sides: Iterable[Mapping[str, Sequence[Scanpath]]]) -> dict[Word, int]:
    """Return the number of each word that is fixated on any side, in their order."""
    words = {
        (sentence, word)
        for side in sides
        for sentence, paths in side.items()
        for path in paths
        for word in path.positions
    }
    return {word: i for i, word in enumerate(sorted(words))}


def word_times(paths: Sequence[Scanpath], places: Mapping[Word, int], metric: str = WORD_TIMES) -> WordTimes:
    """Return the gaze durations of paths with durations, or the times another metric is about.

    >>> found = word_times([Scanpath("r1", "s1", (0, 1, 1), (200, 90, 60))], {("s1", 0): 0, ("s1", 1): 1})
    >>> found.means
    array([200., 150.])
    """
    measured = OTHER_TIMES.get(metric, gaze_durations)
    found = [
        (places[path.sentence_id, word], i, ms)
        for i, path in enumerate(paths)
        for word, ms in measured(path.positions, path.durations or ()).items()
    ]
    word, reading, ms = zip(*found, strict=True) if found else ((), (), ())
    at = np.array(word, dtype=np.intp)
    return WordTimes(at, np.array(reading, dtype=np.intp), np.array(ms, dtype=np.float64), len(places))


@dataclass(frozen=True, slots=True)
class Correlation:
    """A correlation over words, what each word contributes to it, and its slopes by their means."""

    value: float
    by_word: Array
    slope_x: Array
    slope_y: Array


def correlation(x: Array, y: Array) -> Correlation:
    """Return Pearson's r over the words that have both, with its influence; NaN where nothing varies.

    >>> round(correlation(np.array([1.0, 2.0, 3.0, np.nan]), np.array([1.0, 3.0, 2.0, 9.0])).value, 12)
    0.5
    """
    both = np.isfinite(x) & np.isfinite(y)
    nothing = np.zeros(len(x))
    n = int(both.sum())
    if n < 3 or not (x[both].std() and y[both].std()):
        return Correlation(math.nan, nothing, nothing, nothing)
    scale_x, scale_y = float(x[both].std()), float(y[both].std())
    u = np.where(both, (x - x[both].mean()) / scale_x, 0.0)
    v = np.where(both, (y - y[both].mean()) / scale_y, 0.0)
    r = float((u * v).sum() / n)
    by_word = (u * v - 0.5 * r * (u**2 + v**2)) / n
    return Correlation(r, by_word, (v - r * u) / (n * scale_x), (u - r * v) / (n * scale_y))


def spearman_brown(r: float) -> float:
    """Return the reliability of twice as many readers from the correlation of two halves.

    >>> spearman_brown(0.5)
    0.6666666666666666
    """
    return 2.0 * r / (1.0 + r) if r > -1.0 else math.nan

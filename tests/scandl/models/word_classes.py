"""The table by which E-Z Reader is judged: reading measures by word frequency, and their misfit.

Observed means and standard deviations are those of Schilling, Rayner & Chumbley (1998), as they
are distributed with E-Z Reader 10.2. The first and the last word of a sentence do not count.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Literal

import numpy as np

from scandl.measures.gaze_durations import first_passes
from scandl.models.cognitive.word_inputs import WordProperties

N_CLASSES = 5
MEASURES = ("FFD", "SFD", "GD", "Pr1", "Pr2", "PrS")
Table = dict[str, tuple[float, ...]]
"""Measure -> one value per frequency class."""

OBSERVED: Table = {
    "FFD": (248, 234, 228, 223, 208),
    "GD": (293, 272, 256, 234, 214),
    "Pr1": (0.68, 0.70, 0.68, 0.44, 0.32),
    "PrS": (0.10, 0.13, 0.22, 0.55, 0.67),
}
OBSERVED_SD: Table = {
    "FFD": (26.34, 31.65, 31.31, 42.21, 64.75),
    "GD": (38.76, 44.81, 40.29, 56.61, 71.11),
    "Pr1": (0.4665, 0.4583, 0.4665, 0.4964, 0.4665),
    "PrS": (0.3000, 0.3363, 0.4142, 0.4975, 0.4702),
}


def frequency_class(frequency: float) -> int:
    """Return the class of a word: 1 up to 10 per million, 2 up to 100, … 5 above 10,000.

    >>> [frequency_class(f) for f in (1, 10, 11, 100, 1001, 69_974)]
    [1, 1, 2, 2, 4, 5]
    """
    return min(N_CLASSES, 1 + int(math.log10(frequency - 0.5)))


def has_regression(words: Sequence[int]) -> bool:
    """Return whether the eyes ever went back to an earlier word.

    >>> has_regression([0, 1, 1, 3]), has_regression([0, 2, 1])
    (False, True)
    """
    return any(later < earlier for earlier, later in pairwise(words))


def class_table(
    trials: Iterable[tuple[WordProperties, Sequence[int], Sequence[float]]],
    *,
    drop_regressions: bool = False,
    average: Literal["words", "cases"] = "words",
) -> Table:
    """Return the reading measures by frequency class.

    Parameters
    ----------
    trials
        Sentence, fixated words and durations of each reading.
    drop_regressions
        Leave out readings with a regression between words, as the published fits do.
    average
        ``words``: average over readers per word, then over the words of a class, as the published
        fits do; ``cases``: over all first-pass cases of a class at once.
    """
    cases: dict[tuple[str, int], list[tuple[float, float, int]]] = {}
    classes: dict[tuple[str, int], int] = {}
    for stimulus, words, durations in trials:
        if drop_regressions and has_regression(words):
            continue
        passes = first_passes(words, durations)
        for word in range(1, stimulus.n_words - 1):
            key = (stimulus.sentence_id, word)
            classes[key] = frequency_class(stimulus.frequencies[word])
            ms = passes.get(word, [])
            cases.setdefault(key, []).append((ms[0] if ms else 0.0, sum(ms), len(ms)))
    columns = []
    for level in range(1, N_CLASSES + 1):
        groups = [np.array(cases[key]) for key, found in classes.items() if found == level]
        if average == "cases" and groups:
            groups = [np.concatenate(groups)]
        means = np.array([_measures(group) for group in groups]).reshape(-1, len(MEASURES))
        known = ~np.isnan(means)
        columns.append(np.where(known, means, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1))
    return {name: tuple(float(column[i]) for column in columns) for i, name in enumerate(MEASURES)}


def rmsd(simulated: Table, observed: Mapping[str, Sequence[float]] = OBSERVED) -> float:
    """Return the root mean squared deviation in units of the observed standard deviations.

    >>> rmsd(OBSERVED)
    0.0
    """
    deviations = [
        (o - s) / sd
        for name in OBSERVED_SD
        for o, s, sd in zip(observed[name], simulated[name], OBSERVED_SD[name], strict=True)
    ]
    return math.sqrt(sum(d * d for d in deviations) / len(deviations))


def _measures(cases: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> list[float]:
    """Return the measures of one word (or class) from its cases: first fixation, gaze, count."""
    first, gaze, n = cases.T
    return [
        _mean(first[n > 0]),
        _mean(first[n == 1]),
        _mean(gaze[n > 0]),
        float(np.mean(n == 1)),
        float(np.mean(n > 1)),
        float(np.mean(n == 0)),
    ]


def _mean(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    return float(values.mean()) if len(values) else math.nan

"""Measures of a whole scanpath: the six of the published tables of model behaviour.

Two conventions: ``words`` counts what is read; ``scandl`` counts as the published tables do, with
CLS and SEP as words of the sentence and as fixations of the path.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise

from scandl.errors import ScandlError, did_you_mean
from scandl.extras import Registry
from scandl.files.symbol_repair import frame
from scandl.measures.word_measures import word_measures
from scandl.records import Positions

ScanpathMeasure = Callable[[Sequence[int], int], float]
"""A path and the number of words -> the measure."""

SCANPATH_MEASURES: Registry[ScanpathMeasure] = Registry("scanpath measure")
CONVENTIONS = ("words", "scandl")
NAMES = (
    "first_pass_count",
    "fixation_count",
    "skipping_rate",
    "regression_rate",
    "progressive_length",
    "regressive_length",
)
"""The six, in the order tables show them."""


@SCANPATH_MEASURES.register("first_pass_count")
def first_pass_count(path: Sequence[int], n_words: int) -> float:
    """Return the fixations of first visits per word.

    >>> first_pass_count([0, 2, 2, 1], 4)
    1.0
    """
    return _sum("ffc", path, n_words) / n_words


@SCANPATH_MEASURES.register("fixation_count")
def fixation_count(path: Sequence[int], n_words: int) -> float:
    """Return the fixations per word.

    >>> fixation_count([0, 2, 2, 1, 2], 4)
    1.25
    """
    return len(path) / n_words


@SCANPATH_MEASURES.register("skipping_rate")
def skipping_rate(path: Sequence[int], n_words: int) -> float:
    """Return the share of words skipped in first pass.

    >>> skipping_rate([0, 2, 2, 1], 4)
    0.5
    """
    return _sum("sr", path, n_words) / n_words


@SCANPATH_MEASURES.register("regression_rate")
def regression_rate(path: Sequence[int], n_words: int) -> float:
    """Return the share of words whose first visit ends with a step to the left.

    >>> regression_rate([0, 2, 2, 1], 4)
    0.25
    """
    return _sum("fpr", path, n_words) / n_words


@SCANPATH_MEASURES.register("progressive_length")
def progressive_length(path: Sequence[int], n_words: int) -> float:
    """Return the mean length of steps to the right, in words; 0 if there is none.

    >>> progressive_length([0, 2, 2, 1, 2], 4)
    1.5
    """
    return _mean([step for step in _steps(path) if step > 0])


@SCANPATH_MEASURES.register("regressive_length")
def regressive_length(path: Sequence[int], n_words: int) -> float:
    """Return the mean length of steps to the left, in words; 0 if there is none.

    >>> regressive_length([0, 2, 2, 1, 2], 4)
    1.0
    """
    return _mean([-step for step in _steps(path) if step < 0])


def scanpath_measures(path: Sequence[int], n_words: int, convention: str = "words") -> dict[str, float]:
    """Return all measures of one scanpath.

    >>> scanpath_measures([0, 2, 1], 3)["fixation_count"]
    1.0
    >>> scanpath_measures([0, 2], 3, "scandl")["fixation_count"]  # CLS, two words, SEP: 4 of 5
    0.8
    """
    if convention not in CONVENTIONS:
        raise ScandlError(f"no convention {convention!r}{did_you_mean(convention, CONVENTIONS)}")
    if convention == "scandl":
        path, n_words = frame(path, n_words), n_words + 2
    return {name: SCANPATH_MEASURES[name](path, n_words) for name in SCANPATH_MEASURES}


def _sum(measure: str, path: Sequence[int], n_words: int) -> int:
    return _sums(tuple(path), n_words)[measure]


@lru_cache(maxsize=4096)
def _sums(path: Positions, n_words: int) -> dict[str, int]:
    """Return the sums over words; kept, because three measures ask for them and paths recur."""
    return {
        name: sum(value or 0 for value in values) for name, values in word_measures(path, n_words).items()
    }


def _steps(path: Sequence[int]) -> list[int]:
    return [after - before for before, after in pairwise(path)]


def _mean(values: Sequence[int]) -> float:
    return sum(values) / len(values) if values else 0.0

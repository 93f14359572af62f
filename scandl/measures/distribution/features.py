"""The paths of one sentence side by side, and what a reading looks like in numbers that name no words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from scandl.records import Positions, Scanpath, Visits, visits

visits_of = lru_cache(maxsize=2**16)(visits)
"""The facts of every word of a path, which several quantities of every model ask for."""
LONGEST_STEP = 3  # longer saccades share the class of this length

FEATURES = (
    "fixations per word",
    "skip rate",
    "regression rate",
    "refixation rate",
    "forward saccade mean",
    "forward saccade SD",
    "backward saccade mean",
    "backward saccade SD",
    "first word",
    "last word",
    "words fixated",
    *(f"steps {step:+d}" for step in range(-LONGEST_STEP, LONGEST_STEP + 1)),
)


@lru_cache(maxsize=2**16)  # people's stand beside those of every model
def path_features(path: Positions, n_words: int) -> tuple[float, ...]:
    """Return one number per name in ``FEATURES``; places are relative to the sentence, steps shares.

    A path without fixations or without saccades has 0 where nothing can be counted.

    >>> found = dict(zip(FEATURES, path_features((0, 2, 1, 1), n_words=4)))
    >>> found["fixations per word"], found["skip rate"], found["last word"]
    (1.0, 0.5, 0.25)
    >>> found["steps -1"], found["steps +0"], found["steps +2"]
    (0.3333333333333333, 0.3333333333333333, 0.3333333333333333)
    """
    words = visits_of(path, n_words)
    taken = steps(path)
    forward, backward = [step for step in taken if step > 0], [-step for step in taken if step < 0]
    classes = [step_class(step) for step in taken]
    n_steps = max(len(taken), 1)
    return (
        len(path) / n_words,
        skip_rate(words),
        regression_rate(words),
        taken.count(0) / n_steps,
        *mean_and_sd(forward),
        *mean_and_sd(backward),
        path[0] / n_words if path else 0.0,
        path[-1] / n_words if path else 0.0,
        len(set(path)) / n_words,
        *(classes.count(step) / n_steps for step in range(-LONGEST_STEP, LONGEST_STEP + 1)),
    )


def mean_and_sd(lengths: Sequence[int]) -> tuple[float, float]:
    """Return the mean and the standard deviation of whole numbers, both 0 of none.

    >>> mean_and_sd([1, 3]), mean_and_sd([])
    ((2.0, 1.0), (0.0, 0.0))
    """
    n, total = max(len(lengths), 1), sum(lengths)
    squares = sum(length * length for length in lengths)
    return total / n, sqrt((n * squares - total * total) / (n * n))


def steps(path: Sequence[int]) -> list[int]:
    """Return the signed saccade lengths in words.

    >>> steps([0, 2, 1, 1])
    [2, -1, 0]
    """
    return [after - before for before, after in pairwise(path)]


def step_class(step: int) -> int:
    """Return the step, cut to −3..3.

    >>> step_class(-7), step_class(2)
    (-3, 2)
    """
    return max(-LONGEST_STEP, min(LONGEST_STEP, step))


def runs(path: Sequence[int]) -> list[int]:
    """Return the lengths of the maximal stretches of fixations on one word.

    >>> runs([0, 2, 1, 1])
    [1, 1, 2]
    """
    ends = [i for i, step in enumerate(steps(path), start=1) if step != 0]
    bounds = [0, *ends, len(path)] if path else []
    return steps(bounds)


def skip_rate(words: Sequence[Visits]) -> float:
    """Return the share of words skipped in first pass."""
    return sum(visit.skipped for visit in words) / len(words)


def regression_rate(words: Sequence[Visits]) -> float:
    """Return the share of words whose first visit is left for a word to the left."""
    return sum(v.next_word is not None and v.next_word < n for n, v in enumerate(words)) / len(words)


@dataclass(frozen=True, slots=True)
class Item:
    """One sentence, and who read it on either side."""

    sentence_id: str
    human: tuple[Scanpath, ...]
    model: tuple[Scanpath, ...]

    @property
    def paths(self) -> list[Positions]:
        """The positions of all paths, the human ones first."""
        return [path.positions for path in (*self.human, *self.model)]


@dataclass(frozen=True, slots=True)
class Items:
    """The sentences both sides have enough paths of, and those that had to be left out."""

    items: tuple[Item, ...]
    left_out: tuple[str, ...]


def matched(
    human: Iterable[Scanpath], model: Iterable[Scanpath], *, min_human: int = 1, min_model: int = 1
) -> Items:
    """Put the paths of the same sentence side by side, in the order of the human ones.

    >>> cat, dog = Scanpath("r1", "cat", (0, 1)), Scanpath("r1", "dog", (0,))
    >>> found = matched([cat, dog], [dog])
    >>> [item.sentence_id for item in found.items], found.left_out
    (['dog'], ('cat',))
    """
    sides: tuple[dict[str, list[Scanpath]], dict[str, list[Scanpath]]] = ({}, {})
    for side, paths in zip(sides, (human, model), strict=True):
        for path in paths:
            side.setdefault(path.sentence_id, []).append(path)
    items, left_out = [], []
    for sentence_id in dict.fromkeys([*sides[0], *sides[1]]):
        humans, generated = (tuple(side.get(sentence_id, ())) for side in sides)
        if len(humans) >= min_human and len(generated) >= min_model:
            items.append(Item(sentence_id, humans, generated))
        else:
            left_out.append(sentence_id)
    return Items(tuple(items), tuple(left_out))


def codes(names: Sequence[str]) -> NDArray[np.int64]:
    """Return the number of each name, counted from 0 in sorted order.

    >>> codes(["b", "a", "b"])
    array([1, 0, 1])
    """
    return np.unique(names, return_inverse=True)[1]

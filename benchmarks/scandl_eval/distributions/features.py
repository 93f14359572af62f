"""What a reading of a sentence looks like, in numbers that do not name its words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean, pstdev

from scandl.reading.word_visits import Visits, visits

LONGEST_STEP = 3  # longer saccades share the class of this length

FEATURES = (
    "fixations per word", "skip rate", "regression rate", "refixation rate",
    "forward saccade mean", "forward saccade SD", "backward saccade mean", "backward saccade SD",
    "first word", "last word", "words fixated",
    *(f"steps {step:+d}" for step in range(-LONGEST_STEP, LONGEST_STEP + 1)),
)  # fmt: skip


def path_features(path: Sequence[int], n_words: int) -> tuple[float, ...]:
    """Return one number per name in ``FEATURES``; places are relative to the sentence, steps shares.

    A path without fixations or without saccades has 0 where nothing can be counted.

    >>> found = dict(zip(FEATURES, path_features([0, 2, 1, 1], n_words=4)))
    >>> found["fixations per word"], found["skip rate"], found["last word"]
    (1.0, 0.5, 0.25)
    >>> found["steps -1"], found["steps +0"], found["steps +2"]
    (0.3333333333333333, 0.3333333333333333, 0.3333333333333333)
    """
    words = visits(path, n_words)
    taken = steps(path)
    forward, backward = [step for step in taken if step > 0], [-step for step in taken if step < 0]
    classes = [step_class(step) for step in taken]
    n_steps = max(len(taken), 1)
    return (
        len(path) / n_words,
        skip_rate(words),
        regression_rate(words),
        taken.count(0) / n_steps,
        fmean(forward) if forward else 0.0,
        pstdev(forward) if forward else 0.0,
        fmean(backward) if backward else 0.0,
        pstdev(backward) if backward else 0.0,
        path[0] / n_words if path else 0.0,
        path[-1] / n_words if path else 0.0,
        len(set(path)) / n_words,
        *(classes.count(step) / n_steps for step in range(-LONGEST_STEP, LONGEST_STEP + 1)),
    )


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

"""A Markov chain of saccades: the next step depends on the one before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from scandl.corpora import Corpus
from scandl.generators import GENERATORS
from scandl.records import Sentence
from scandl_eval.models.baselines.step_walks import (
    N_CLASSES,
    START_POSITION,
    Row,
    Rows,
    StepWalk,
    transitions,
)

LONGEST_CONDITION = 4
START = 2 * LONGEST_CONDITION + 1
N_CONDITIONS = START + 1
PSEUDO_COUNT = 0.5


def condition(at: int, before: int) -> int:
    """Return the class of the step that led here, clipped to −4 … 4, or START.

    >>> condition(at=3, before=1), condition(at=0, before=9), condition(at=-1, before=-1)
    (6, 0, 9)
    """
    if at == START_POSITION:
        return START
    return min(max(at - before, -LONGEST_CONDITION), LONGEST_CONDITION) + LONGEST_CONDITION


def smoothed(counts: Sequence[int], seen: Sequence[bool]) -> Row:
    """Return the row of these counts, half a count added to each outcome the training set has."""
    return Row([count + PSEUDO_COUNT * known for count, known in zip(counts, seen, strict=True)])


@GENERATORS.register("markov")
class Markov(StepWalk):
    """Draw each saccade, or the end, given the saccade before it; the text plays no part."""

    def __init__(self) -> None:
        self._rows = [Row([1.0] * N_CLASSES)] * N_CONDITIONS

    def fit(self, training: Corpus, *, seed: int) -> Self:
        """Count what follows each class of step."""
        counts = [[0] * N_CLASSES for _ in range(N_CONDITIONS)]
        for path in training.scanpaths:
            for at, before, following in transitions(path.words):
                counts[condition(at, before)][following] += 1
        seen = [any(column) for column in zip(*counts, strict=True)]
        if any(seen):
            self._rows = [smoothed(row, seen) for row in counts]
        return self

    def rows(self, sentence: Sentence) -> Rows:
        """Return the row of the step that led to a position."""
        return lambda at, before: self._rows[condition(at, before)]

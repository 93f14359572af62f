"""Walks over a sentence by step classes, the alphabet of Eyettention and Train-label-dist.

A class is a saccade of −21 … 22 words or END. A walk starts before the first word; a step beyond
the last word ends it, a step before the first word lands on the first word (Deng et al., ETRA 2023).

At each step a walk lapses with probability ``LAPSE`` to any word or the end, all equally likely.
No human path is then impossible, and the likelihood is that of exactly the walk that generates.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, chain
from typing import TYPE_CHECKING

from scandl.models.model import Model, Request
from scandl.records import Positions, Scanpath, Sentence

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LONGEST_BACK, LONGEST_FORWARD = -21, 22
N_STEPS = LONGEST_FORWARD - LONGEST_BACK + 1
END = N_STEPS
N_CLASSES = N_STEPS + 1
START_POSITION = -1
MAX_FIXATIONS = 59
LAPSE = 1e-4


def step_class(step: int) -> int:
    """Return the class of a saccade of ``step`` words; longer ones count as the longest.

    >>> step_class(-21), step_class(0), step_class(22), step_class(40)
    (0, 21, 43, 43)
    """
    return min(max(step, LONGEST_BACK), LONGEST_FORWARD) - LONGEST_BACK


def transitions(words: Positions) -> Iterator[tuple[int, int, int]]:
    """Yield (position, position before it, class of what follows) along a path, from start to END.

    Before the first word, where nothing came before, both positions are the same.

    >>> [(at, before, following) for at, before, following in transitions((0, 2))]
    [(-1, -1, 22), (0, -1, 23), (2, 0, 44)]
    """
    before = at = START_POSITION
    for word in words:
        yield at, before, step_class(word - at)
        before, at = at, word
    yield at, before, END


def class_counts(paths: Iterable[Positions]) -> list[int]:
    """Return how often each class follows along the paths: what ``transitions`` yields, counted at once.

    >>> [(k, n) for k, n in enumerate(class_counts([(0, 2), (1,)])) if n]
    [(22, 1), (23, 2), (44, 2)]
    """
    import numpy as np

    every = list(paths)
    lengths = np.fromiter(map(len, every), np.intp, len(every))
    words = np.fromiter(chain.from_iterable(every), np.intp, int(lengths.sum()))
    before = np.empty_like(words)
    before[1:] = words[:-1]
    before[(np.cumsum(lengths) - lengths)[lengths > 0]] = START_POSITION
    classes = np.clip(words - before, LONGEST_BACK, LONGEST_FORWARD) - LONGEST_BACK
    counts: list[int] = np.bincount(classes, minlength=N_CLASSES).tolist()
    counts[END] = len(every)
    return counts


class StepProbabilities:
    """The probabilities of the 45 classes in one situation, ready to draw from and to sum."""

    __slots__ = ("_until", "_weights")

    def __init__(self, weights: Sequence[float]) -> None:
        total = math.fsum(weights)
        self._weights = [weight / total for weight in weights]
        # One draw decides both whether the walk lapses (below LAPSE) and which class it takes.
        self._until = [
            LAPSE + (1 - LAPSE) * min(share, 1.0) for share in accumulate(self._weights, initial=0.0)
        ][1:]

    def draw(self, at: int, n_words: int, u: float) -> int:
        """Return the word reached from ``at``, or ``n_words`` for the end, by one uniform number."""
        if u < LAPSE:
            return int(u / LAPSE * (n_words + 1))
        drawn = bisect_right(self._until, u)
        if drawn >= END:  # END itself, or the last bit of rounding above it
            return n_words
        return min(max(at + drawn + LONGEST_BACK, 0), n_words)

    def walks(self, n_words: Sequence[int], u: NDArray[np.float64]) -> list[Positions]:
        """Draw a walk over each sentence, given by its length, in which this row holds all the way.

        Each has a row of ``MAX_FIXATIONS`` uniform numbers.
        """
        import numpy as np

        n = np.array(n_words, dtype=np.intp)
        words = np.empty(u.shape, dtype=np.intp)
        length = np.full(len(n), MAX_FIXATIONS)
        at = np.full(len(n), START_POSITION)
        for k in range(MAX_FIXATIONS):
            drawn = np.searchsorted(self._until, u[:, k], side="right")
            there = np.where(drawn >= END, n, np.clip(at + drawn + LONGEST_BACK, 0, n))
            at = np.where(u[:, k] < LAPSE, (u[:, k] / LAPSE * (n + 1)).astype(np.intp), there)
            words[:, k] = at
            length[(at == n) & (length == MAX_FIXATIONS)] = k
            if (length < MAX_FIXATIONS).all():
                break
        ends: list[int] = length.tolist()
        return [tuple(row[:end].tolist()) for row, end in zip(words, ends, strict=True)]

    def probability(self, at: int, to: int, n_words: int) -> float:
        """Return the probability of going from ``at`` to word ``to``, or to the end: ``n_words``."""
        own = to - at - LONGEST_BACK  # the class that leads there unclipped
        if to == n_words:
            share = math.fsum(self._weights[min(max(own, 0), END) :])  # beyond the last word, and END
        elif to == 0:
            share = math.fsum(self._weights[: max(min(own + 1, END), 0)])
        else:
            share = self._weights[own] if 0 <= own < END else 0.0
        return LAPSE / (n_words + 1) + (1 - LAPSE) * share


Rows = Callable[[int, int], StepProbabilities]
"""The row that applies at a position (first argument) reached from another (second)."""


class StepWalk(Model):
    """Base of walks by step classes: implement ``rows``; drawing and likelihood follow from it."""

    likelihood = "exact"

    @abstractmethod
    def rows(self, sentence: Sentence) -> Rows:
        """Return the class probabilities that apply in ``sentence``."""

    def draw(self, request: Request, rng: np.random.Generator) -> Positions:
        """Walk until the end, or for at most 59 fixations."""
        n_words = request.sentence.n_words
        rows = self.rows(request.sentence)
        before = at = START_POSITION
        words: list[int] = []
        for u in rng.random(MAX_FIXATIONS).tolist():
            before, at = at, rows(at, before).draw(at, n_words, u)
            if at == n_words:
                break
            words.append(at)
        return tuple(words)

    def log_prob(self, sentence: Sentence, scanpath: Scanpath) -> float:
        """Return the natural log-probability of the path, its end included.

        The limit of 59 fixations guards the loop that draws and is no part of the model: a longer
        human path has the probability of the walk without it.
        """
        n_words = sentence.n_words
        rows = self.rows(sentence)
        before = at = START_POSITION
        total = 0.0
        for to in (*scanpath.positions, n_words):
            total += math.log(rows(at, before).probability(at, to, n_words))
            before, at = at, to
        return total

"""Where paths begin and end, for models that say nothing about it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


class Stage(Enum):
    """How far reading has come at a fixation."""

    BEFORE = "the last word has not been fixated yet"
    LAST = "the eyes are on the last word"
    AFTER = "the last word has been fixated, and the eyes are elsewhere"


def stage(words: Sequence[int], n_words: int) -> Stage:
    """Return the stage of the last of these fixations.

    >>> [stage(words, n_words=3).name for words in ([0], [0, 2], [0, 2, 1])]
    ['BEFORE', 'LAST', 'AFTER']
    """
    last = n_words - 1
    if words[-1] == last:
        return Stage.LAST
    return Stage.AFTER if last in words else Stage.BEFORE


def _stages(words: Sequence[int], n_words: int) -> list[Stage]:
    return [stage(words[:end], n_words) for end in range(1, len(words) + 1)]


@dataclass(frozen=True, slots=True)
class Boundaries:
    """The distribution of the first word, and the probability to end after a fixation.

    Without data the rule is that of simplified SWIFT: begin on word 0, end with the first
    fixation of the last word.
    """

    first_words: Mapping[int, float] = field(default_factory=lambda: {0: 1.0})  # word -> weight
    spread: float = 0.0  # weight shared by all words of a sentence, whichever were seen
    end: Mapping[Stage, float] = field(
        default_factory=lambda: {Stage.BEFORE: 0.0, Stage.LAST: 1.0, Stage.AFTER: 1.0}
    )

    @classmethod
    def learned(cls, paths: Iterable[tuple[Sequence[int], int]]) -> Boundaries:
        """Count beginnings and ends in (words, number of words of the sentence).

        Smoothing is one path more than there are, whose first word is any word, and one fixation
        more per stage, with an end half the time: every path has a positive probability.
        """
        first: Counter[int] = Counter()
        ends: Counter[Stage] = Counter()
        seen: Counter[Stage] = Counter()
        for words, n_words in paths:
            found = _stages(words, n_words)
            seen.update(found)
            ends.update(found[-1:])
            first.update(words[:1])
        end = {at: (ends[at] + 0.5) / (seen[at] + 1.0) for at in Stage}
        return cls({word: float(count) for word, count in sorted(first.items())}, 1.0, end)

    def first_probs(self, n_words: int) -> list[float]:
        """Return the probability of each word of a sentence to be the first fixated.

        >>> Boundaries({0: 2.0, 7: 5.0}, spread=2.0).first_probs(2)
        [0.75, 0.25]
        """
        weights = [self.first_words.get(word, 0.0) + self.spread / n_words for word in range(n_words)]
        return [weight / math.fsum(weights) for weight in weights]

    def ended(self, words: Sequence[int], n_words: int, rng: np.random.Generator) -> bool:
        """Draw whether these fixations are the whole path."""
        return bool(rng.random() < self.end[stage(words, n_words)])

    def log_prob(self, words: Sequence[int], n_words: int) -> float:
        """Return the log-probability of the first word, of going on, and of the end; no path: -inf.

        >>> Boundaries().log_prob([0, 1, 2], n_words=3), Boundaries().log_prob([0, 2, 1], n_words=3)
        (0.0, -inf)
        """
        if not words:
            return -math.inf
        *inner, last = _stages(words, n_words)
        probs = [self.first_probs(n_words)[words[0]], *(1.0 - self.end[at] for at in inner), self.end[last]]
        return math.fsum(math.log(p) for p in probs) if all(probs) else -math.inf

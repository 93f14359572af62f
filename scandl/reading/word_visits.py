"""What happened to each word of a sentence on one reading of it.

Every reading measure and every rate of the project is derived from these facts, so that a skip
or a regression means the same in a corpus check, a score and a regression model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Visits:
    """The fixations one word received.

    A run is a maximal stretch of consecutive fixations on the word. ``first_pass`` says that the
    first fixation came before any word to the right was fixated.
    """

    n_fixations: int = 0
    first_run: int = 0  # fixations of the first run, whenever it happens
    first_pass: bool = False
    next_word: int | None = None  # where the eyes went after the first run; None = nowhere

    @property
    def skipped(self) -> bool:
        """Never fixated, or first fixated after a word to its right."""
        return not self.first_pass


def visits(path: Sequence[int], n_words: int) -> list[Visits]:
    """Return the facts for every word of a sentence.

    >>> [v.skipped for v in visits([0, 2, 1, 3, 3], 5)]
    [False, True, False, False, True]
    >>> [v.n_fixations for v in visits([0, 2, 1, 3, 3], 5)]
    [1, 1, 1, 2, 0]
    >>> visits([0, 2, 1, 3, 3], 5)[2].next_word
    1
    """
    counts = [0] * n_words
    found: dict[int, tuple[int, bool, int | None]] = {}
    furthest = -1
    i = 0
    while i < len(path):
        word = path[i]
        end = i
        while end < len(path) and path[end] == word:
            end += 1
        counts[word] += end - i
        if word not in found:
            found[word] = (end - i, word > furthest, path[end] if end < len(path) else None)
        furthest = max(furthest, word)
        i = end
    return [Visits(counts[word], *found[word]) if word in found else Visits() for word in range(n_words)]

"""A walk through a text, fixation by fixation: what is known before the next one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scandl.models.pointer.states import MOST_VISITS, Ints, States, joined, one_hot_saccade
from scandl.models.pointer.words import edges

_BEFORE = -1  # where the eyes are before the first fixation: one word before the first


class Walk:
    """Many walks at once, each through its own text; ``n_columns`` is the padded number of words."""

    def __init__(self, n_words: Ints, n_columns: int) -> None:
        self.n_words = n_words
        self.counts = np.zeros((len(n_words), n_columns), dtype=np.int64)
        self.n_fixations = np.zeros_like(n_words)
        self.last = np.full_like(n_words, _BEFORE)
        self.previous = np.full_like(n_words, _BEFORE)
        self.furthest = np.full_like(n_words, _BEFORE)
        self.n_regressions = np.zeros_like(n_words)
        self.n_refixations = np.zeros_like(n_words)
        self.n_read = np.zeros_like(n_words)  # different words fixated
        self.since_end = np.zeros_like(n_words)  # fixations since the last word but one was reached

    def states(self) -> States:
        """Return what is known now, one place per walk."""
        references = np.stack([self.last, self.previous, self.furthest], axis=1)
        return States(
            references[:, None],
            np.minimum(self.counts, MOST_VISITS)[:, None],
            self.last[:, None],
            self._scalars()[:, None],
        )

    def step(self, words: Ints) -> None:
        """Fixate these words."""
        everyone = np.arange(len(words))
        started = self.n_fixations > 0
        self.n_regressions += started & (words < self.last)
        self.n_refixations += started & (words == self.last)
        self.n_read += self.counts[everyone, words] == 0
        self.since_end += self.furthest >= self.n_words - 2
        self.counts[everyone, words] += 1
        self.previous, self.last = self.last, words
        self.furthest = np.maximum(self.furthest, words)
        self.n_fixations = self.n_fixations + 1

    def only(self, walking: NDArray[np.bool_]) -> None:
        """Go on with these walks alone."""
        for name, value in vars(self).items():
            setattr(self, name, value[walking])

    def _scalars(self) -> NDArray[np.float32]:
        fixations = np.maximum(self.n_fixations, 1)
        passed = self.furthest + 1
        behind = self.furthest - self.last
        columns = [
            self.n_fixations == 0,
            np.log((self.n_fixations + 1) / self.n_words),
            self.n_regressions / fixations,
            self.n_refixations / fixations,
            1.0 - self.n_read / np.maximum(passed, 1),
            passed / self.n_words,
            self.furthest >= self.n_words - 1,
            # Rereading takes about as many fixations in a long text as in a short one.
            np.log1p(self.since_end),
            np.log1p(behind),
            behind == 0,
            np.minimum(behind, 4) / 4,
        ]
        return np.concatenate(
            [
                np.stack(columns, axis=1),
                one_hot_saccade(self.last - self.previous),
                edges(self.last, self.n_words),
                edges(self.furthest, self.n_words),
            ],
            axis=1,
        ).astype(np.float32)


N_SCALARS = Walk(np.ones(1, dtype=np.int64), 1).states().scalars.shape[2]


def walked(paths: Sequence[Sequence[int]], n_words: Ints, n_columns: int) -> States:
    """Return the states before each fixation of human paths and before their ends, (B, T + 1).

    Places after the end of a shorter path hold what it was at its end.
    """
    walk = Walk(n_words, n_columns)
    longest = max(map(len, paths))
    words = np.array([[*path, *[path[-1]] * (longest - len(path))] for path in paths], dtype=np.int64)
    places = [walk.states()]
    for t in range(longest):
        walk.step(words[:, t])
        places.append(walk.states())
    return joined(places)

"""The autoregressive process: a text is walked through, each fixation or the end given those before it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import log_softmax

from scandl.models.pointer.path_batch import (
    MOST_VISITS,
    Flags,
    Floats,
    Ints,
    States,
    TextBatch,
    draw,
    joined,
    longest,
    one_hot_saccade,
)
from scandl.models.pointer.pointer_network import PointerNetwork, causal, tokens
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

    def only(self, walking: Flags) -> None:
        """Go on with these walks alone."""
        for name, value in vars(self).items():
            setattr(self, name, value[walking])

    def _scalars(self) -> Floats:
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


def targets(paths: Sequence[Sequence[int]], n_columns: int) -> Ints:
    """Return what comes next at each place, (B, T + 1): a word, ``n_columns`` for the end, then -1.

    >>> targets([(0, 1), (2,)], 3).tolist()
    [[0, 1, 3], [2, 3, -1]]
    """
    found = np.full((len(paths), max(map(len, paths)) + 1), -1, dtype=np.int64)
    for row, path in zip(found, paths, strict=True):
        row[: len(path) + 1] = *path, n_columns
    return found


def log_probs(network: PointerNetwork, batch: TextBatch, paths: Sequence[Sequence[int]]) -> list[float]:
    """Return the exact log-probability of each path, its end included."""
    text = network.read_batch(batch)
    states = walked(paths, batch.n_words, batch.n_columns)
    x, _ = network.places(tokens(text, states), batch.conditions, causal(states.anchor.shape[1]))
    logits = network.point(text, x, states.references, states.counts)
    logits[:, 0, -1] = -np.inf  # a path has a fixation
    goal = targets(paths, batch.n_columns)
    chosen = np.take_along_axis(log_softmax(logits, axis=2), np.maximum(goal, 0)[..., None], axis=2)[..., 0]
    return [float(total) for total in np.where(goal >= 0, chosen, 0.0).sum(axis=1)]


def sample(
    network: PointerNetwork, batch: TextBatch, streams: Sequence[np.random.Generator]
) -> list[tuple[int, ...]]:
    """Draw one path per text."""
    text, condition = network.read_batch(batch), batch.conditions
    walk, past = Walk(batch.n_words, batch.n_columns), None
    walking = np.arange(len(streams))
    most = np.array([longest(n) for n in batch.n_words.tolist()])
    paths: list[list[int]] = [[] for _ in streams]
    for t in range(int(most.max())):
        states = walk.states()
        x, past = network.places(tokens(text, states), condition, past=past)
        logits = network.point(text, x, states.references, states.counts)[:, 0]
        if t == 0:
            logits[:, -1] = -np.inf
        drawn = draw(logits, np.array([streams[k].random() for k in walking.tolist()]))
        going = drawn < batch.n_columns
        for k, word in zip(walking[going].tolist(), drawn[going].tolist(), strict=True):
            paths[k].append(word)
        going &= t + 1 < most[walking]
        if not going.any():
            break
        walk.only(going)
        walk.step(drawn[going])
        walking, text, condition = walking[going], text.of(going), condition[going]
        past = [(keys[going], values[going]) for keys, values in past]
    return [tuple(path) for path in paths]

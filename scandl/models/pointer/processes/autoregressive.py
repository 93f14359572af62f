"""The autoregressive process: each fixation, or the end, given those before it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import log_softmax

from scandl.models.pointer.drawing import MARGIN, draw
from scandl.models.pointer.path_batch import TextBatch
from scandl.models.pointer.processes.length import longest
from scandl.models.pointer.runners.runner import Flags, Ints, Runner, tokens
from scandl.models.pointer.walk import Walk, walked


def causal(n_places: int) -> Flags:
    """Return which places each place may look at, (1, T, T): itself and those before it."""
    return np.tri(n_places, dtype=bool)[None]


def targets(paths: Sequence[Sequence[int]], n_columns: int) -> Ints:
    """Return what comes next at each place, (B, T + 1): a word, ``n_columns`` for the end, then -1.

    >>> targets([(0, 1), (2,)], 3).tolist()
    [[0, 1, 3], [2, 3, -1]]
    """
    found = np.full((len(paths), max(map(len, paths)) + 1), -1, dtype=np.int64)
    for row, path in zip(found, paths, strict=True):
        row[: len(path) + 1] = *path, n_columns
    return found


def log_probs(runner: Runner, batch: TextBatch, paths: Sequence[Sequence[int]]) -> list[float]:
    """Return the exact log-probability of each path, its end included."""
    text = batch.read(runner)
    states = walked(paths, batch.n_words, batch.n_columns)
    x, _ = runner.places(tokens(text, states), batch.conditions, causal(states.anchor.shape[1]))
    logits = runner.point(text, x, states.references, states.counts).astype(np.float64)
    logits[:, 0, -1] = -np.inf  # a path has a fixation
    goal = targets(paths, batch.n_columns)
    chosen = np.take_along_axis(log_softmax(logits, axis=2), np.maximum(goal, 0)[..., None], axis=2)[..., 0]
    return [float(total) for total in np.where(goal >= 0, chosen, 0.0).sum(axis=1)]


def sample(
    runner: Runner, batch: TextBatch, streams: Sequence[np.random.Generator], *, margin: float = MARGIN
) -> list[tuple[int, ...] | None]:
    """Draw one path per text; None where a random number came too near a border to be sure.

    What a network computes differs in the last digits from batch to batch; whoever gets None draws
    that path again by itself, so that it does not depend on its company.
    """
    text, condition = batch.read(runner), batch.conditions
    walk, past = Walk(batch.n_words, batch.n_columns), None
    walking = np.arange(len(batch.n_words))
    most = np.array([longest(int(n)) for n in batch.n_words])
    paths: list[list[int] | None] = [[] for _ in streams]
    for t in range(int(most.max())):
        states = walk.states()
        visible = np.ones((1, 1, t + 1), dtype=bool)
        x, past = runner.places(tokens(text, states), condition, visible, past)
        logits = runner.point(text, x, states.references, states.counts)[:, 0].astype(np.float64)
        if t == 0:
            logits[:, -1] = -np.inf
        drawn, sure = draw(logits, np.array([streams[k].random() for k in walking.tolist()]), margin)
        for k, word, certain in zip(walking.tolist(), drawn.tolist(), sure.tolist(), strict=True):
            path = paths[k]
            if not certain:
                paths[k] = None
            elif word < batch.n_columns and path is not None:
                path.append(word)
        going = (drawn < batch.n_columns) & sure & (t + 1 < most[walking])
        if not going.any():
            break
        walk.only(going)
        walk.step(drawn[going])
        walking, text, condition = walking[going], text.of(going), condition[going]
        past = [(keys[going], values[going]) for keys, values in past]
    return [None if path is None else tuple(path) for path in paths]

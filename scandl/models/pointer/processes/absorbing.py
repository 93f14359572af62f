"""The absorbing process: the length first, then hidden fixations that become known in random order.

In the forward process each fixation of a path is hidden at a random time and stays so (masked, or
absorbing, discrete diffusion); with n of N hidden, every set of n places is as likely. A network
that gives each hidden fixation given the known ones bounds the likelihood of a path from below.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax

from scandl.models.pointer.drawing import MARGIN, draw, draw_below
from scandl.models.pointer.path_batch import TextBatch, padded, within
from scandl.models.pointer.processes.hidden import hidden_states
from scandl.models.pointer.processes.length import length_log_prob, length_probabilities
from scandl.models.pointer.runners.runner import Flags, Floats, Ints, ReadText, Runner, tokens

Array = NDArray[np.float64]

_TOGETHER = 128  # paths filled at once


def hide(n_fixations: Ints, n_places: int, uniforms: Array) -> tuple[Flags, Floats]:
    """Hide a random number of random places of each path.

    Parameters
    ----------
    uniforms
        (B, 1 + T): how many to hide, and an order for each place.

    Returns
    -------
    hidden
        (B, T).
    weights
        (B,) N over the number hidden. Times the sum of log-probabilities of the hidden fixations it
        is, on average, the bound on the log-likelihood of the path.
    """
    n_hidden = 1 + np.floor(uniforms[:, 0] * n_fixations).astype(np.int64)
    order = np.where(within(n_fixations, n_places), uniforms[:, 1 : 1 + n_places], 2.0)
    rank = order.argsort(axis=1, kind="stable").argsort(axis=1, kind="stable")
    return rank < n_hidden[:, None], (n_fixations / n_hidden).astype(np.float32)


def log_prob_bounds(
    runner: Runner,
    batch: TextBatch,
    paths: Sequence[Sequence[int]],
    streams: Sequence[np.random.Generator],
    *,
    draws: int,
) -> list[float]:
    """Return, for each path, an estimate of a lower bound on its log-probability, its length included.

    The bound is the mean over ``draws`` random sets of hidden places.
    """
    text = batch.read(runner)
    words, n_fixations = padded(paths)
    total = np.zeros(len(paths))
    for _ in range(draws):
        uniforms = np.stack(
            [
                np.append(stream.random(1 + n), np.ones(words.shape[1] - n))
                for stream, n in zip(streams, n_fixations.tolist(), strict=True)
            ]
        )
        hidden, weights = hide(n_fixations, words.shape[1], uniforms)
        logits = _logits(runner, text, batch, words, hidden, n_fixations)
        chosen = np.take_along_axis(log_softmax(logits, axis=2), words[..., None], axis=2)[..., 0]
        total += weights * np.where(hidden, chosen, 0.0).sum(axis=1)
    parameters = runner.lengths(text.gist, batch.conditions)
    lengths = [
        length_log_prob(row, int(m), int(n))
        for row, m, n in zip(parameters, batch.n_words, n_fixations, strict=True)
    ]
    return [float(value) for value in total / draws + np.array(lengths)]


def sample(
    runner: Runner,
    batch: TextBatch,
    streams: Sequence[np.random.Generator],
    *,
    steps: int,
    margin: float = MARGIN,
) -> list[tuple[int, ...] | None]:
    """Draw one path per text; None where a random number came too near a border to be sure."""
    text = batch.read(runner)
    n_fixations, sure = _draw_lengths(runner, text, batch, streams, margin)
    paths: dict[int, tuple[int, ...] | None] = {}
    order = np.argsort(n_fixations, kind="stable")
    # Paths of about the same length together: the others of a batch would be padded to its longest.
    for first in range(0, len(order), _TOGETHER):
        chosen = order[first : first + _TOGETHER]
        own = [streams[k] for k in chosen.tolist()]
        drawn = _fill(runner, text.of(chosen), batch.only(chosen), n_fixations[chosen], own, steps, margin)
        paths |= zip(chosen.tolist(), drawn, strict=True)
    return [paths[k] if sure[k] else None for k in range(len(streams))]


def _fill(
    runner: Runner,
    text: ReadText,
    batch: TextBatch,
    n_fixations: Ints,
    streams: Sequence[np.random.Generator],
    steps: int,
    margin: float,
) -> list[tuple[int, ...] | None]:
    """Draw the words of paths of known length, a step's places at once."""
    inside = within(n_fixations, int(n_fixations.max()))
    uniforms = np.ones((2, *inside.shape))  # the order in which places become known, and the words
    for k, (stream, n) in enumerate(zip(streams, n_fixations.tolist(), strict=True)):
        uniforms[:, k, :n] = stream.random((2, n))
    rank = uniforms[0].argsort(axis=1, kind="stable").argsort(axis=1, kind="stable")
    n_steps = np.minimum(n_fixations, steps)[:, None]
    turn = np.where(inside, rank * n_steps // n_fixations[:, None], -1)  # the step of each place
    words = np.zeros(inside.shape, dtype=np.int64)
    sure = np.ones(len(words), dtype=bool)
    for step in range(int(n_steps.max())):
        now = turn == step
        logits = _logits(runner, text, batch, words, turn >= step, n_fixations, now)
        row, place = np.nonzero(now)
        words[row, place], certain = draw(
            logits[row, _column(now)[row, place]], uniforms[1, row, place], margin
        )
        sure[row[~certain]] = False
    return [
        tuple(path[:n].tolist()) if certain else None
        for path, n, certain in zip(words, n_fixations.tolist(), sure, strict=True)
    ]


def _draw_lengths(
    runner: Runner, text: ReadText, batch: TextBatch, streams: Sequence[np.random.Generator], margin: float
) -> tuple[Ints, Flags]:
    parameters = runner.lengths(text.gist, batch.conditions)
    found = [
        draw_below(length_probabilities(row, int(m)).cumsum()[None], np.array([stream.random()]), margin)
        for row, m, stream in zip(parameters, batch.n_words, streams, strict=True)
    ]
    return np.array([int(n[0]) + 1 for n, _ in found]), np.array([bool(sure[0]) for _, sure in found])


def _logits(
    runner: Runner,
    text: ReadText,
    batch: TextBatch,
    words: Ints,
    hidden: Flags,
    n_fixations: Ints,
    wanted: Flags | None = None,
) -> Array:
    """Return the logits of the words at all places, or at the wanted ones moved to the left."""
    states = hidden_states(words, hidden, n_fixations, batch.n_words, batch.n_columns)
    visible = within(n_fixations, words.shape[1])[:, None]
    x, _ = runner.places(tokens(text, states), batch.conditions, visible)
    references, counts = states.references, states.counts
    if wanted is not None:
        at = np.argsort(~wanted, axis=1, kind="stable")[:, : int(wanted.sum(axis=1).max())]
        row = np.arange(len(at))[:, None]
        x, references, counts = x[row, at], references[row, at], counts[row, at]
    return runner.point(text, x, references, counts)[..., :-1].astype(np.float64)


def _column(wanted: Flags) -> Ints:
    """Return where each wanted place stands when they are moved to the left."""
    return wanted.cumsum(axis=1) - 1

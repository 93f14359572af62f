"""The absorbing process: the length first, then hidden fixations that become known in random order.

In the forward process each fixation of a path is hidden at a random time and stays so (masked, or
absorbing, discrete diffusion); with n of N hidden, every set of n places is as likely. A network
that gives each hidden fixation given the known ones bounds the likelihood of a path from below.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import log_softmax, ndtr, softmax

from scandl.models.pointer.path_batch import (
    MOST_VISITS,
    Array,
    Flags,
    Floats,
    Ints,
    States,
    TextBatch,
    draw,
    longest,
    one_hot_saccade,
    padded,
    within,
)
from scandl.models.pointer.pointer_network import PointerNetwork, ReadText, tokens
from scandl.models.pointer.words import edges

N_COMPONENTS = 3  # log-normals of fixations per word, of which the number of fixations is a mixture
N_PARAMETERS = 3 * N_COMPONENTS  # logits of the weights, means, log standard deviations
LEAST_LOG_SD, MOST_LOG_SD = -3.0, 1.0
_TOGETHER = 128  # paths filled at once


def length_probabilities(parameters: Array, n_words: int) -> Array:
    """Return the probabilities of 1, 2, … ``longest(n_words)`` fixations; the last has all longer ones.

    >>> length_probabilities(np.zeros(9), 4)[:3].round(3).tolist()
    [0.163, 0.156, 0.128]
    """
    logits, means, log_sds = np.split(parameters, 3)
    weights = softmax(logits)
    sds = np.exp(np.clip(log_sds, LEAST_LOG_SD, MOST_LOG_SD))
    limits = np.log((np.arange(1, longest(n_words)) + 0.5) / n_words)  # between n and n + 1
    below = (weights * ndtr((limits[:, None] - means) / sds)).sum(axis=1)
    return np.diff(np.concatenate([[0.0], below, [1.0]]))


def length_log_prob(parameters: Array, n_words: int, n_fixations: int) -> float:
    """Return the log-probability of a number of fixations."""
    probability = length_probabilities(parameters, n_words)[min(n_fixations, longest(n_words)) - 1]
    return math.log(max(float(probability), 1e-12))


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
    network: PointerNetwork,
    batch: TextBatch,
    paths: Sequence[Sequence[int]],
    streams: Sequence[np.random.Generator],
    *,
    draws: int,
) -> list[float]:
    """Return, for each path, an estimate of a lower bound on its log-probability, its length included.

    The bound is the mean over ``draws`` random sets of hidden places.
    """
    text = network.read_batch(batch)
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
        logits = _logits(network, text, batch, words, hidden, n_fixations)
        chosen = np.take_along_axis(log_softmax(logits, axis=2), words[..., None], axis=2)[..., 0]
        total += weights * np.where(hidden, chosen, 0.0).sum(axis=1)
    parameters = network.lengths(text.gist, batch.conditions)
    lengths = [
        length_log_prob(row, int(m), int(n))
        for row, m, n in zip(parameters, batch.n_words, n_fixations, strict=True)
    ]
    return [float(value) for value in total / draws + np.array(lengths)]


def sample(
    network: PointerNetwork,
    batch: TextBatch,
    streams: Sequence[np.random.Generator],
    *,
    steps: int,
) -> list[tuple[int, ...]]:
    """Draw one path per text."""
    text = network.read_batch(batch)
    n_fixations = _draw_lengths(network, text, batch, streams)
    paths: dict[int, tuple[int, ...]] = {}
    order = np.argsort(n_fixations, kind="stable")
    # Paths of about the same length together: the others of a batch would be padded to its longest.
    for first in range(0, len(order), _TOGETHER):
        chosen = order[first : first + _TOGETHER]
        own = [streams[k] for k in chosen.tolist()]
        drawn = _fill(network, text.of(chosen), batch.only(chosen), n_fixations[chosen], own, steps)
        paths |= zip(chosen.tolist(), drawn, strict=True)
    return [paths[k] for k in range(len(streams))]


def _fill(
    network: PointerNetwork,
    text: ReadText,
    batch: TextBatch,
    n_fixations: Ints,
    streams: Sequence[np.random.Generator],
    steps: int,
) -> list[tuple[int, ...]]:
    """Draw the words of paths of known length, a step's places at once."""
    inside = within(n_fixations, int(n_fixations.max()))
    uniforms = np.ones((2, *inside.shape))  # the order in which places become known, and the words
    for k, (stream, n) in enumerate(zip(streams, n_fixations.tolist(), strict=True)):
        uniforms[:, k, :n] = stream.random((2, n))
    rank = uniforms[0].argsort(axis=1, kind="stable").argsort(axis=1, kind="stable")
    n_steps = np.minimum(n_fixations, steps)[:, None]
    turn = np.where(inside, rank * n_steps // n_fixations[:, None], -1)  # the step of each place
    words = np.zeros(inside.shape, dtype=np.int64)
    for step in range(int(n_steps.max())):
        now = turn == step
        logits = _logits(network, text, batch, words, turn >= step, n_fixations, now)
        row, place = np.nonzero(now)
        words[row, place] = draw(logits[row, _column(now)[row, place]], uniforms[1, row, place])
    return [tuple(path[:n].tolist()) for path, n in zip(words, n_fixations.tolist(), strict=True)]


def _draw_lengths(
    network: PointerNetwork, text: ReadText, batch: TextBatch, streams: Sequence[np.random.Generator]
) -> Ints:
    parameters = network.lengths(text.gist, batch.conditions)
    below = [
        length_probabilities(row, int(m)).cumsum() for row, m in zip(parameters, batch.n_words, strict=True)
    ]
    return np.array(
        [1 + int((row[:-1] <= stream.random()).sum()) for row, stream in zip(below, streams, strict=True)]
    )


def _logits(
    network: PointerNetwork,
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
    x, _ = network.places(tokens(text, states), batch.conditions, visible)
    references, counts = states.references, states.counts
    if wanted is not None:
        at = np.argsort(~wanted, axis=1, kind="stable")[:, : int(wanted.sum(axis=1).max())]
        row = np.arange(len(at))[:, None]
        x, references, counts = x[row, at], references[row, at], counts[row, at]
    return network.point(text, x, references, counts)[..., :-1]


def _column(wanted: Flags) -> Ints:
    """Return where each wanted place stands when they are moved to the left."""
    return wanted.cumsum(axis=1) - 1


def hidden_states(words: Ints, hidden: Flags, n_fixations: Ints, n_words: Ints, n_columns: int) -> States:
    """Return the states of all places of paths of known length, (B, T).

    The references of a place are the known fixations before and after it (the edges of the text
    where there is none) and a word between them, by how many fixations away they are. A known
    fixation is its own anchor.

    Parameters
    ----------
    words
        (B, T) word positions; what stands at hidden places is not looked at.
    hidden
        (B, T) True where the word is not known.
    """
    place = np.arange(words.shape[1])[None]
    known = ~hidden & (place < n_fixations[:, None])
    before, after = _neighbours(known, n_fixations)
    left = _word_at(words, before, before < 0, np.full_like(n_words, -1))
    right = _word_at(words, after, after >= n_fixations[:, None], n_words)
    share = (place - before) / np.maximum(after - before, 1)
    between = np.rint(left + (right - left) * share).astype(np.int64)
    anchor = np.where(known, words, np.clip(between, 0, n_words[:, None] - 1))
    counts = np.zeros((len(words), n_columns), dtype=np.int64)
    np.add.at(counts, (np.nonzero(known)[0], words[known]), 1)
    counts = np.repeat(np.minimum(counts, MOST_VISITS)[:, None], words.shape[1], axis=1)
    scalars = _scalars(place, known, before, after, (left, anchor, right), n_fixations, n_words)
    return States(np.stack([left, right, anchor], axis=2), counts, anchor, scalars)


def _neighbours(known: Flags, n_fixations: Ints) -> tuple[Ints, Ints]:
    """Return the places of the known fixations before and after each place: -1 and N where there is none."""
    place = np.arange(known.shape[1])
    seen = np.maximum.accumulate(np.where(known, place, -1), axis=1)
    before = np.concatenate([np.full((len(known), 1), -1), seen[:, :-1]], axis=1)
    end = np.broadcast_to(n_fixations[:, None], known.shape)
    coming = np.minimum.accumulate(np.where(known, place, end)[:, ::-1], axis=1)[:, ::-1]
    after = np.concatenate([coming[:, 1:], n_fixations[:, None]], axis=1)
    return before, np.maximum(after, place + 1)


def _word_at(words: Ints, place: Ints, outside: Flags, edge: Ints) -> Ints:
    inside = np.clip(place, 0, words.shape[1] - 1)
    return np.where(outside, edge[:, None], np.take_along_axis(words, inside, axis=1))


def _scalars(
    place: Ints,
    known: Flags,
    before: Ints,
    after: Ints,
    at: tuple[Ints, Ints, Ints],
    n_fixations: Ints,
    n_words: Ints,
) -> Floats:
    left, anchor, right = at
    furthest = np.maximum.accumulate(np.where(known, anchor, -1), axis=1)
    total = n_fixations[:, None]
    everywhere = np.ones(known.shape)
    columns = [
        known,
        (place + 0.5) / total,
        everywhere * np.log(total / n_words[:, None]),
        1.0 / (place - before),
        1.0 / (after - place),
        np.log1p(place - before),
        np.log1p(after - place),
        everywhere * known.sum(axis=1, keepdims=True) / total,
        everywhere * (place == 0),
        place == total - 1,
        before < 0,
        after >= total,
        np.clip(furthest - anchor, -4, 4) / 4,
    ]
    return np.concatenate(
        [
            np.stack(columns, axis=2),
            one_hot_saccade(anchor - left),
            one_hot_saccade(right - anchor),
            edges(anchor, n_words[:, None]),
        ],
        axis=2,
    ).astype(np.float32)


_ONE = np.ones(1, dtype=np.int64)
N_SCALARS = hidden_states(_ONE[:, None] * 0, np.zeros((1, 1), dtype=bool), _ONE, _ONE, 1).scalars.shape[2]

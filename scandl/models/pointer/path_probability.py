"""How probable a path is: exactly, in order of time, and a bound, over all orders."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import log_softmax

from scandl.models.pointer.drawing import masked_logits
from scandl.models.pointer.mixtures import length_log_prob, length_parameters
from scandl.models.pointer.path_batch import Array, Flags, Floats, Ints, TextBatch, padded, within
from scandl.models.pointer.pointer_network import PointerNetwork, tokens, visible
from scandl.models.pointer.states import states


def log_probs(network: PointerNetwork, batch: TextBatch, paths: Sequence[Sequence[int]]) -> list[float]:
    """Return the log-probability of each path, its length included, drawn in order of time; it is exact."""
    words, n_fixations = padded(paths)
    logits = in_order_logits(network, batch, words, n_fixations)
    chosen = np.take_along_axis(log_softmax(logits, axis=2), words[..., None], axis=2)[..., 0]
    total = np.where(within(n_fixations, words.shape[1]), chosen, 0.0).sum(axis=1)
    return (total + _lengths(network, batch, n_fixations)).tolist()


def in_order_logits(
    network: PointerNetwork, batch: TextBatch, words: Ints, n_fixations: Ints, known: Flags | None = None
) -> Array:
    """Return the logits of the words at all places, given those before and, where ``known``, those after."""
    given = np.zeros(words.shape, dtype=bool) if known is None else known
    found = states(words, given, n_fixations, batch.n_words, batch.n_columns, in_order=True)
    text = network.read_texts(batch).of(batch.row)
    seen = visible(n_fixations, words.shape[1], in_order=True)
    x = network.places(tokens(text.near, found), batch.conditions, seen)
    return np.asarray(network.point(text, x, found.references, found.gap, found.visits))


def hide(n_fixations: Ints, n_places: int, uniforms: Array) -> tuple[Flags, Floats]:
    """Hide a random number of random places of each path.

    In the forward process of masked diffusion each fixation is hidden at a random time and stays so. With
    n of N hidden, every set of n places is as likely.

    Parameters
    ----------
    n_fixations
        (B,) N of each path.
    n_places
        T, the padded number of places.
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

    The bound is that of masked diffusion, the mean over ``draws`` random sets of hidden places.
    """
    text = network.read_texts(batch).of(batch.row)
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
        logits = masked_logits(network, text, batch, words, ~hidden, n_fixations)
        chosen = np.take_along_axis(log_softmax(logits, axis=2), words[..., None], axis=2)[..., 0]
        total += weights * np.where(hidden, chosen, 0.0).sum(axis=1)
    return (total / draws + _lengths(network, batch, n_fixations)).tolist()


def _lengths(network: PointerNetwork, batch: TextBatch, n_fixations: Ints) -> Array:
    rows = zip(length_parameters(network, batch), batch.n_words.tolist(), n_fixations.tolist(), strict=True)
    return np.array([length_log_prob(*row) for row in rows])

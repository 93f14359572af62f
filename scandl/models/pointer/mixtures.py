"""How many fixations a path has and how long each lasts: mixtures of log-normals, given text and reader."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import logsumexp, ndtr, ndtri, softmax

from scandl.models.pointer.path_batch import OF_TEXT, Array, Floats, Ints, TextBatch, longest, padded, within
from scandl.models.pointer.pointer_network import PointerNetwork
from scandl.models.pointer.states import States, states

N_COMPONENTS = 2
N_PARAMETERS = 3 * N_COMPONENTS  # logits of the weights, means of log ms, log standard deviations
TYPICAL = 5.4  # log of 220 ms: means are learned as deviations from it
LEAST_LOG_SD, MOST_LOG_SD = -3.0, 0.5
_AROUND = (-2, -1, 0, 1, 2)  # the words whose features count: what came before spills over


def duration_features(paths: Sequence[Sequence[int]], texts: TextBatch) -> Floats:
    """Return one row per fixation of all paths, one path after the other.

    A row has what the network is told of a place all of whose path is known (where from, where to, what was
    seen before), the facts of the words around it, and the condition vector of the reader.
    """
    words, n_fixations = padded(paths)
    inside = within(n_fixations, words.shape[1])
    told = states(words, inside, n_fixations, texts.n_words, texts.n_columns)
    return _rows(told, words, texts)[inside].astype(np.float32)


def _rows(told: States, words: Ints, texts: TextBatch) -> Floats:
    facts = np.pad(texts.features, ((0, 0), (-_AROUND[0], _AROUND[-1]), (0, 0)))
    row = texts.row[:, None]
    around = [facts[row, words - _AROUND[0] + offset] for offset in _AROUND]
    reader = np.repeat(texts.conditions[:, None], words.shape[1], axis=1)
    return np.concatenate([told.scalars, told.visits_near(), *around, reader], axis=2)


def n_duration_features(n_words: int, n_condition: int) -> int:
    """Return the number of columns of ``duration_features``."""
    texts = TextBatch.of([np.zeros((1, n_words), np.float32)], np.zeros((1, n_condition), np.float32))
    return duration_features([(0,)], texts).shape[1]


def duration_log_density(parameters: Array, durations: Array) -> Array:
    """Return the natural log of the density per ms of each duration; (n, 6) and (n,).

    >>> flat = np.zeros((1, 6))
    >>> duration_log_density(flat, np.array([np.exp(TYPICAL)])).round(3)  # sd 1/e: 1 - log(sqrt(2π)) - 5.4
    array([-5.319])
    """
    log_weights, means, log_sds = components(parameters)
    log_ms = np.log(durations)[:, None]
    z = (log_ms - means) / np.exp(log_sds)
    density = log_weights - 0.5 * z**2 - log_sds - 0.5 * np.log(2 * np.pi) - log_ms
    return np.asarray(logsumexp(density, axis=1))


def draw_durations(parameters: Array, uniforms: Array) -> Array:
    """Return durations in ms from two uniform numbers each, (n, 6) and (n, 2)."""
    log_weights, means, log_sds = components(parameters)
    second = uniforms[:, 0] >= np.exp(log_weights[:, 0])
    chosen = second.astype(np.int64)[:, None]
    mean = np.take_along_axis(means, chosen, axis=1)[:, 0]
    sd = np.exp(np.take_along_axis(log_sds, chosen, axis=1)[:, 0])
    return np.asarray(np.exp(mean + sd * ndtri(np.clip(uniforms[:, 1], 1e-6, 1 - 1e-6))))


def mean_durations(parameters: Array) -> Array:
    """Return the expected durations in ms, (n, 6) -> (n,).

    >>> flat = np.zeros((1, 6))
    >>> float(mean_durations(flat)[0] / np.exp(TYPICAL + 0.5 * np.exp(-1) ** 2))
    1.0
    """
    log_weights, means, log_sds = components(parameters)
    return np.asarray(np.exp(log_weights + means + 0.5 * np.exp(2 * log_sds)).sum(axis=1))


def components(parameters: Array) -> tuple[Array, Array, Array]:
    """Return log weights, means and log standard deviations of log ms, (n, 2) each."""
    logits, means, log_sds = np.split(parameters, 3, axis=1)
    log_weights = logits - logsumexp(logits, axis=1, keepdims=True)
    return log_weights, TYPICAL + means, np.clip(log_sds - 1.0, LEAST_LOG_SD, MOST_LOG_SD)


N_LENGTH_COMPONENTS = 3
N_LENGTH_PARAMETERS = 3 * N_LENGTH_COMPONENTS  # logits of the weights, means, log standard deviations
N_OF_TEXT = len(OF_TEXT) + 1
LEAST_LENGTH_SD, MOST_LENGTH_SD = -3.0, -0.5  # no component is wide: nobody makes ten times as many
TYPICAL_LENGTH_SD = -1.5  # deviations from it are learned
_LONG = 60  # words from which texts count as equally long


def of_text(batch: TextBatch) -> Floats:
    """Return what the length of a path is learned from: means over words, and the length of its text."""
    kept = batch.inside[..., None]
    means = (batch.features[..., OF_TEXT] * kept).sum(axis=1, dtype=np.float64) / kept.sum(axis=1)
    n_words = np.log(np.minimum(batch.inside.sum(axis=1), _LONG) / 12)
    return np.concatenate([means, n_words[:, None]], axis=1)[batch.row].astype(np.float32)


def length_parameters(network: PointerNetwork, batch: TextBatch) -> Array:
    """Return the parameters of the distribution of each path's length, (B, 9)."""
    return np.asarray(network.lengths(of_text(batch), batch.conditions))


def length_probabilities(parameters: Array, n_words: int, most: int) -> Array:
    """Return the probabilities of 1, 2, … ``most`` fixations; what is missing to 1 are longer paths.

    >>> length_probabilities(np.zeros(9), 4, 12)[:3].round(3).tolist()
    [0.0, 0.018, 0.257]
    """
    logits, means, log_sds = np.split(parameters, 3)
    sds = np.exp(np.clip(TYPICAL_LENGTH_SD + log_sds, LEAST_LENGTH_SD, MOST_LENGTH_SD))
    limits = np.log((np.arange(1, most + 1) + 0.5) / n_words)  # between n and n + 1
    below = (softmax(logits) * ndtr((limits[:, None] - means) / sds)).sum(axis=1)
    return np.diff(np.concatenate([[0.0], below]))


def length_log_prob(parameters: Array, n_words: int, n_fixations: int) -> float:
    """Return the log-probability of a number of fixations."""
    return math.log(max(float(length_probabilities(parameters, n_words, n_fixations)[-1]), 1e-12))


def draw_lengths(
    network: PointerNetwork,
    batch: TextBatch,
    streams: Sequence[np.random.Generator],
) -> Ints:
    """Draw the number of fixations of each path; the few paths above ``longest`` are not drawn."""
    found = []
    parameters = length_parameters(network, batch)
    for row, n_words, stream in zip(parameters, batch.n_words.tolist(), streams, strict=True):
        below = length_probabilities(row, n_words, longest(n_words)).cumsum()
        found.append(1 + int((below[:-1] <= stream.random() * below[-1]).sum()))
    return np.array(found, dtype=np.int64)

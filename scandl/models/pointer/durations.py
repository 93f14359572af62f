"""How long each fixation lasts: a mixture of two log-normals, given path, words and reader."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import logsumexp, ndtri

from scandl.models.pointer.path_batch import Array, Floats, Ints, TextBatch, padded, within
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

"""How long each fixation lasts: a mixture of two log-normals, given path, words and reader."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp, ndtri

from scandl.models.pointer.path_batch import TextBatch, padded, within
from scandl.models.pointer.states import Floats, States, one_hot_saccade
from scandl.models.pointer.walk import walked

N_COMPONENTS = 2
N_PARAMETERS = 3 * N_COMPONENTS  # logits of the weights, means of log ms, log standard deviations
TYPICAL = 5.4  # log of 220 ms: means are learned as deviations from it
LEAST_LOG_SD, MOST_LOG_SD = -3.0, 0.5
_AROUND = (-1, 0, 1, 2)  # the words whose features count

Array = NDArray[np.float64]


def duration_features(
    paths: Sequence[Sequence[int]], texts: TextBatch, states: States | None = None
) -> Floats:
    """Return one row per fixation of all paths, one path after the other.

    A row has the state after the fixation began (where from, what was seen before), the saccade that
    follows, the facts of the words around it, and the condition vector of the reader. ``states`` are
    those of ``walked``, where they are known already.
    """
    words, n_fixations = padded(paths)
    if states is None:
        states = walked(paths, texts.n_words, texts.n_columns)
    leaves = one_hot_saccade(np.diff(words, axis=1, append=0))
    # The last fixation is followed by no saccade.
    leaves[np.arange(len(words)), n_fixations - 1] = 0.0
    facts = np.pad(texts.features, ((0, 0), (1, 2), (0, 0)))
    row = texts.row[:, None]
    around = [facts[row, words + 1 + offset] for offset in _AROUND]
    reader = np.repeat(texts.conditions[:, None], words.shape[1], axis=1)
    rows = np.concatenate([states.tokens()[:, 1:], leaves, *around, reader], axis=2)
    return rows[within(n_fixations, words.shape[1])].astype(np.float32)


def n_duration_features(n_words: int, n_condition: int) -> int:
    """Return the number of columns of ``duration_features``."""
    texts = TextBatch.of([np.zeros((1, n_words), np.float32)], np.zeros((1, n_condition), np.float32))
    return duration_features([(0,)], texts).shape[1]


def duration_log_density(parameters: Floats, durations: Array) -> Array:
    """Return the natural log of the density per ms of each duration; (n, 6) and (n,).

    >>> flat = np.zeros((1, 6), dtype=np.float32)
    >>> duration_log_density(flat, np.array([np.exp(TYPICAL)])).round(3)  # sd 1/e: 1 - log(sqrt(2π)) - 5.4
    array([-5.319])
    """
    log_weights, means, log_sds = components(parameters)
    log_ms = np.log(durations)[:, None]
    z = (log_ms - means) / np.exp(log_sds)
    density = log_weights - 0.5 * z**2 - log_sds - 0.5 * np.log(2 * np.pi) - log_ms
    return np.asarray(logsumexp(density, axis=1))


def draw_durations(parameters: Floats, uniforms: Array) -> Array:
    """Return durations in ms from two uniform numbers each, (n, 6) and (n, 2)."""
    log_weights, means, log_sds = components(parameters)
    second = uniforms[:, 0] >= np.exp(log_weights[:, 0])
    chosen = second.astype(np.int64)[:, None]
    mean = np.take_along_axis(means, chosen, axis=1)[:, 0]
    sd = np.exp(np.take_along_axis(log_sds, chosen, axis=1)[:, 0])
    return np.asarray(np.exp(mean + sd * ndtri(np.clip(uniforms[:, 1], 1e-6, 1 - 1e-6))))


def components(parameters: Floats) -> tuple[Array, Array, Array]:
    """Return log weights, means and log standard deviations of log ms, (n, 2) each."""
    logits, means, log_sds = np.split(parameters.astype(np.float64), 3, axis=1)
    log_weights = logits - logsumexp(logits, axis=1, keepdims=True)
    return log_weights, TYPICAL + means, np.clip(log_sds - 1.0, LEAST_LOG_SD, MOST_LOG_SD)

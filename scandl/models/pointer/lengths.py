"""How many fixations a path has: fixations per word are a mixture of log-normals, given text and reader."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import ndtr, softmax

from scandl.models.pointer.path_batch import Array, Floats, Ints, TextBatch, longest
from scandl.models.pointer.pointer_network import PointerNetwork
from scandl.models.pointer.words import OF_TEXT

N_COMPONENTS = 3
N_PARAMETERS = 3 * N_COMPONENTS  # logits of the weights, means, log standard deviations
N_OF_TEXT = len(OF_TEXT) + 1
LEAST_LOG_SD, MOST_LOG_SD = -3.0, -0.5  # no component is wide: nobody makes ten times as many
TYPICAL_LOG_SD = -1.5  # deviations from it are learned
_LONG = 60  # words from which texts count as equally long


def of_text(batch: TextBatch) -> Floats:
    """Return what the length of a path is learned from: means over words, and the length of its text."""
    kept = batch.inside[..., None]
    means = (batch.features[..., OF_TEXT] * kept).sum(axis=1) / kept.sum(axis=1)
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
    sds = np.exp(np.clip(TYPICAL_LOG_SD + log_sds, LEAST_LOG_SD, MOST_LOG_SD))
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

"""How many fixations a path has: a mixture of log-normals of fixations per word, cut into whole numbers."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, softmax

N_COMPONENTS = 3
N_PARAMETERS = 3 * N_COMPONENTS  # logits of the weights, means, log standard deviations
LEAST_LOG_SD, MOST_LOG_SD = -3.0, 1.0

Array = NDArray[np.float64]


def longest(n_words: int) -> int:
    """Return a number of fixations that hardly any path exceeds; longer ones are not drawn."""
    return 8 * n_words + 32


def length_probabilities(parameters: NDArray[np.float32], n_words: int) -> Array:
    """Return the probabilities of 1, 2, … ``longest(n_words)`` fixations; the last has all longer ones.

    >>> length_probabilities(np.zeros(9, dtype=np.float32), 4)[:3].round(3).tolist()
    [0.163, 0.156, 0.128]
    """
    logits, means, log_sds = np.split(parameters.astype(np.float64), 3)
    weights = softmax(logits)
    sds = np.exp(np.clip(log_sds, LEAST_LOG_SD, MOST_LOG_SD))
    limits = np.log((np.arange(1, longest(n_words)) + 0.5) / n_words)  # between n and n + 1
    below = (weights * ndtr((limits[:, None] - means) / sds)).sum(axis=1)
    return np.diff(np.concatenate([[0.0], below, [1.0]]))


def length_log_prob(parameters: NDArray[np.float32], n_words: int, n_fixations: int) -> float:
    """Return the log-probability of a number of fixations."""
    probability = length_probabilities(parameters, n_words)[min(n_fixations, longest(n_words)) - 1]
    return math.log(max(float(probability), 1e-12))

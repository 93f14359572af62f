"""The distribution of the number of fixations: it sums to one, and torch and numpy agree."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy.stats import lognorm

from scandl.models.pointer import objective
from scandl.models.pointer.processes.length import (
    N_PARAMETERS,
    length_log_prob,
    length_probabilities,
    longest,
)


@pytest.mark.parametrize("n_words", [1, 7, 60])
def test_probabilities_sum_to_one(n_words: int) -> None:
    parameters = np.random.default_rng(n_words).normal(size=N_PARAMETERS).astype(np.float32)
    probabilities = length_probabilities(parameters, n_words)
    assert len(probabilities) == longest(n_words)
    assert probabilities.sum() == pytest.approx(1.0)
    assert (probabilities >= 0).all()


def test_one_component_is_scipy_s_log_normal() -> None:
    parameters = np.array([0, -40, -40, 0.2, 0, 0, -0.7, 0, 0], dtype=np.float32)
    law = lognorm(s=np.exp(-0.7), scale=np.exp(0.2))
    expected = law.cdf((4 + 0.5) / 6) - law.cdf((4 - 0.5) / 6)
    assert length_log_prob(parameters, 6, 4) == pytest.approx(np.log(expected), abs=1e-6)


def test_what_is_trained_is_what_is_drawn_from() -> None:
    rng = np.random.default_rng(0)
    parameters = rng.normal(size=(20, N_PARAMETERS)).astype(np.float32)
    n_words, n_fixations = rng.integers(1, 30, 20), rng.integers(1, 30, 20)
    learned = objective.length_log_prob(*map(torch.from_numpy, (parameters, n_words, n_fixations)))
    drawn = [
        length_log_prob(*case)
        for case in zip(parameters, n_words.tolist(), n_fixations.tolist(), strict=True)
    ]
    assert learned.tolist() == pytest.approx(drawn, abs=1e-4)

from __future__ import annotations

import numpy as np
import pytest
import torch

from scandl.models.pointer.durations import duration_log_density
from scandl.models.pointer.objective import length_log_prob, log_duration_density
from scandl.models.pointer.processes import length

RNG = np.random.default_rng(1)


@pytest.mark.parametrize("n_words", [1, 7, 40])
def test_lengths_are_learned_with_the_probabilities_they_are_drawn_with(n_words: int) -> None:
    parameters = RNG.normal(size=length.N_PARAMETERS).astype(np.float32)
    for n in (1, 2, n_words, 3 * n_words):
        found = length_log_prob(
            torch.from_numpy(parameters[None]), torch.tensor([n_words]), torch.tensor([n])
        )
        assert float(found) == pytest.approx(length.length_log_prob(parameters, n_words, n), abs=1e-4)


def test_durations_are_learned_with_the_density_they_are_drawn_from() -> None:
    """Here of log ms, there per ms: they differ by the logarithm of the duration."""
    parameters = RNG.normal(size=(50, 6)).astype(np.float32)
    ms = np.exp(RNG.normal(5.4, 0.5, 50))
    found = log_duration_density(
        torch.from_numpy(parameters), torch.from_numpy(np.log(ms).astype(np.float32))
    )
    np.testing.assert_allclose(found.numpy(), duration_log_density(parameters, ms) + np.log(ms), atol=2e-4)


def test_the_density_of_log_durations_is_one_in_all() -> None:
    parameters = torch.from_numpy(np.tile(RNG.normal(size=(1, 6)).astype(np.float32), (4001, 1)))
    grid = torch.linspace(-5.0, 15.0, 4001)
    assert float(log_duration_density(parameters, grid).exp().sum() * (20.0 / 4000)) == pytest.approx(
        1.0, abs=1e-3
    )

"""Sampling on a device: the noise of an instance in any company, and the rounding of the CPU."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy import stats

from scandl.models.diffusion.device_noise import DeviceNoise, best_on_device
from scandl.models.diffusion.valid_sequences import best_sequences
from scandl.seeds import stream

CPU = torch.device("cpu")


def test_noise_belongs_to_its_instance_and_draw() -> None:
    noise = DeviceNoise([stream(1, k) for k in range(6)], (5, 4), CPU)
    first, second = noise.draw(), noise.draw()
    alone = DeviceNoise([stream(1, 3)], (5, 4), CPU)
    assert torch.equal(alone.draw()[0], first[3])
    assert torch.equal(alone.draw()[0], second[3])
    assert not torch.isclose(first, second).any()
    many = DeviceNoise([stream(2, k) for k in range(50)], (20, 16), CPU)
    assert stats.kstest(many.draw().numpy().ravel(), "norm").pvalue > 0.001
    assert many.draw(0.5).abs().max() <= 0.5


@pytest.mark.parametrize("seed", range(30))
def test_rounding_is_that_of_numpy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    B, L, n_ids = 7, 20, 24
    scores = rng.normal(size=(B, L, n_ids)).astype(np.float32)
    n_words = rng.integers(1, n_ids - 2, B)
    start = rng.integers(0, L + 1, B)  # rows with no room for a scanpath too
    noised = np.arange(L) >= start[:, None]
    found = best_on_device(*(torch.from_numpy(array) for array in (scores, noised, n_words)))
    np.testing.assert_array_equal(found, best_sequences(scores, noised, n_words))

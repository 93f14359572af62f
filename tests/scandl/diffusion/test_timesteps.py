"""Importance sampling of t: unbiased, and adapted to the losses."""

from __future__ import annotations

import numpy as np
import pytest

from scandl.diffusion.settings import DiffusionConfig
from scandl.diffusion.timesteps import TimestepSampler


def filled(config: DiffusionConfig, loss: np.ndarray) -> TimestepSampler:
    sampler = TimestepSampler(config)
    for _ in range(config.history):
        sampler.update(np.arange(config.steps), loss)
    return sampler


def test_uniform_until_every_step_has_its_history() -> None:
    config = DiffusionConfig(steps=5, history=2)
    sampler = TimestepSampler(config)
    sampler.update(np.array([0, 1, 2, 3, 4, 0, 1, 2, 3]), np.ones(9))
    np.testing.assert_allclose(sampler.probabilities(), 0.2)
    sampler.update(np.array([4]), np.array([9.0]))
    p = sampler.probabilities()
    size = np.array([1, 1, 1, 1, np.sqrt((1 + 81) / 2)])
    np.testing.assert_allclose(p, 0.999 * size / size.sum() + 0.001 / 5)


@pytest.mark.parametrize("bins", [0, 7])
def test_weights_undo_the_bias(bins: int) -> None:
    """E[w f(t)] under p is the uniform mean of f, whatever p is."""
    rng = np.random.default_rng(1)
    sampler = filled(DiffusionConfig(steps=40, history=3, bins=bins), rng.gamma(1.0, size=40))
    f = rng.normal(size=40)
    t, weight = sampler.sample(400_000, rng)
    values = weight * f[t]
    assert values.mean() == pytest.approx(f.mean(), abs=4 * values.std() / len(values) ** 0.5)
    p = sampler.probabilities()
    np.testing.assert_allclose(np.bincount(t, minlength=40) / len(t), p, atol=0.004)


def test_only_the_newest_losses_count() -> None:
    config = DiffusionConfig(steps=2, history=2)
    sampler = filled(config, np.array([100.0, 1.0]))
    for _ in range(2):
        sampler.update(np.array([0]), np.array([1.0]))
    np.testing.assert_allclose(sampler.probabilities(), 0.5)


def test_state_resumes_exactly() -> None:
    config = DiffusionConfig(steps=6, history=2)
    sampler = filled(config, np.arange(6) + 1.0)
    other = TimestepSampler(config)
    other.load_state_dict(sampler.state_dict())
    np.testing.assert_array_equal(other.probabilities(), sampler.probabilities())


def test_uniform_on_request() -> None:
    sampler = filled(DiffusionConfig(steps=4, history=1, timesteps="uniform"), np.arange(4) + 1.0)
    np.testing.assert_allclose(sampler.probabilities(), 0.25)

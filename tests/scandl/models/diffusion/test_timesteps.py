"""Importance sampling of t: unbiased, and adapted to the losses."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest
import torch

from scandl.models.diffusion.settings import DiffusionConfig
from scandl.models.diffusion.timesteps import TimestepSampler


def filled(config: DiffusionConfig, loss: torch.Tensor) -> TimestepSampler:
    sampler = TimestepSampler(config)
    for _ in range(config.history):
        sampler.update(torch.arange(config.steps), loss)
    return sampler


def test_uniform_until_every_step_has_its_history() -> None:
    config = DiffusionConfig(steps=5, history=2)
    sampler = TimestepSampler(config)
    sampler.update(torch.tensor([0, 1, 2, 3, 4, 0, 1, 2, 3]), torch.ones(9))
    np.testing.assert_allclose(sampler.probabilities(), 0.2)
    sampler.update(torch.tensor([4]), torch.tensor([9.0]))
    p = sampler.probabilities()
    size = np.array([1, 1, 1, 1, np.sqrt((1 + 81) / 2)])
    np.testing.assert_allclose(p, 0.999 * size / size.sum() + 0.001 / 5, rtol=1e-6)


@pytest.mark.parametrize("bins", [0, 7])
def test_weights_undo_the_bias(bins: int) -> None:
    """E[w f(t)] under p is the uniform mean of f, whatever p is."""
    rng = np.random.default_rng(1)
    losses = torch.from_numpy(rng.gamma(1.0, size=40))
    sampler = filled(DiffusionConfig(steps=40, history=3, bins=bins), losses)
    f = rng.normal(size=40)
    t, weight = sampler.sample(torch.from_numpy(rng.random(400_000)).float())
    values = weight.numpy() * f[t.numpy()]
    assert values.mean() == pytest.approx(f.mean(), abs=4 * values.std() / len(values) ** 0.5)
    p = sampler.probabilities()
    np.testing.assert_allclose(np.bincount(t, minlength=40) / len(t), p, atol=0.004)


def test_the_newest_losses_are_those_of_a_queue() -> None:
    """Against queues, with batches that fill a history more than once."""
    config = DiffusionConfig(steps=12, history=3, bins=4)
    sampler = TimestepSampler(config)
    queues = [deque([0.0] * 3, maxlen=3) for _ in range(4)]
    rng = np.random.default_rng(2)
    for _ in range(30):
        t, losses = rng.integers(0, 12, 10), rng.random(10).astype(np.float32)
        for k, loss in zip(t, losses, strict=True):
            queues[k * 4 // 12].append(float(loss))
        sampler.update(torch.from_numpy(t), torch.from_numpy(losses))
        assert [sorted(row) for row in sampler.state_dict()["losses"].tolist()] == [sorted(q) for q in queues]
    assert int(sampler.counts.sum()) == 300


def test_every_share_of_the_unit_has_its_step() -> None:
    sampler = filled(DiffusionConfig(steps=4, history=1), torch.tensor([1.0, 2.0, 3.0, 4.0]))
    p = sampler.probabilities().double().numpy()
    edges = np.concatenate([[0.0], p.cumsum()])
    middles = torch.from_numpy((edges[:-1] + edges[1:]) / 2).float()
    assert sampler.sample(middles)[0].tolist() == [0, 1, 2, 3]
    assert sampler.sample(torch.tensor([1e-9, 1 - 2**-25]))[0].tolist() == [0, 3]


def test_state_resumes_exactly() -> None:
    config = DiffusionConfig(steps=6, history=2)
    sampler = filled(config, torch.arange(6) + 1.0)
    other = TimestepSampler(config)
    other.load_state_dict(sampler.state_dict())
    assert torch.equal(other.probabilities(), sampler.probabilities())


def test_uniform_on_request() -> None:
    sampler = filled(DiffusionConfig(steps=4, history=1, timesteps="uniform"), torch.arange(4) + 1.0)
    np.testing.assert_allclose(sampler.probabilities(), 0.25)

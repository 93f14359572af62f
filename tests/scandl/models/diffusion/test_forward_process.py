"""The process against its own definition, by Monte Carlo."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from scandl.models.diffusion.forward_process import Diffusion


@pytest.fixture
def paper() -> Diffusion:
    return Diffusion.named("sqrt", 2000)


def test_q_sample_has_the_stated_mean_and_variance(paper: Diffusion) -> None:
    n, t = 200_000, 700
    z_0 = torch.full((n, 1, 1), 2.0)
    noise = torch.randn(n, 1, 1, generator=torch.Generator().manual_seed(1))
    z_t = paper.q_sample(z_0, torch.full((n,), t), noise, torch.ones(n, 1, dtype=torch.bool))
    level = paper.alpha_bar[t]
    assert z_t.mean().item() == pytest.approx(2.0 * level**0.5, abs=4 * (1 - level) ** 0.5 / n**0.5)
    assert z_t.var().item() == pytest.approx(1 - level, rel=0.02)


def test_one_step_at_a_time_arrives_where_q_sample_does() -> None:
    """Noise step by step with beta, then look back: the posterior is the conditional of the chain."""
    process = Diffusion.named("cosine", 30)
    t, n = 12, 400_000
    rng = np.random.default_rng(3)
    z_0 = 1.5
    z = np.full(n, z_0)
    for i in range(t + 1):
        before = z
        z = np.sqrt(1 - process.beta[i]) * before + np.sqrt(process.beta[i]) * rng.standard_normal(n)
    assert z.mean() == pytest.approx(z_0 * process.alpha_bar[t] ** 0.5, abs=0.01)
    c0, c1, variance = process.posterior
    slope, intercept = np.polyfit(z, before, 1)
    assert slope == pytest.approx(c1[t], abs=0.01)
    assert intercept == pytest.approx(c0[t] * z_0, abs=0.01)
    assert np.var(before - slope * z - intercept) == pytest.approx(variance[t], rel=0.02)


def test_partial_noising_leaves_the_sentence(paper: Diffusion) -> None:
    z_0, noise = torch.randn(2, 5, 3), torch.randn(2, 5, 3)
    noised = torch.tensor([[False, False, True, True, True]] * 2)
    z_t = paper.q_sample(z_0, torch.tensor([0, 1999]), noise, noised)
    assert torch.equal(z_t[:, :2], z_0[:, :2])
    assert torch.allclose(z_t[1, 2:], noise[1, 2:], atol=2e-3)

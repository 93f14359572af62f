"""The loss against its definition, position by position; the process and the choice of t by Monte Carlo."""

from __future__ import annotations

import math
from collections import deque

import numpy as np
import pytest
import torch

from scandl.models.diffusion.denoiser import Denoiser, collate
from scandl.models.diffusion.loss import Diffusion, TimestepSampler, diffusion_loss
from scandl.models.diffusion.settings import DiffusionConfig, ModelConfig
from scandl.models.diffusion.tokens import training_tokens
from scandl.text.encoder import Lexical

MODEL = ModelConfig(layers=1, heads=2, dim=8, feed_forward=16, seq_len=24, buckets=(24,), encoder="lexical")
STEPS = 10


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


@pytest.mark.parametrize(
    "config",
    [
        DiffusionConfig(steps=STEPS),
        DiffusionConfig(steps=STEPS, loss="paper"),
        DiffusionConfig(steps=STEPS, count_sentence=False),
        DiffusionConfig(steps=STEPS, count_padding=False),
    ],
)
def test_agrees_with_the_definition(config: DiffusionConfig) -> None:
    torch.manual_seed(0)
    encoder = Lexical()
    sentence = encoder.encode(["The", "cat", "sat."])
    paths = [(0, 2, 1), (1,)]
    batch = collate([training_tokens(sentence, path, encoder.padding, MODEL) for path in paths])
    model = Denoiser(MODEL, encoder.dim, STEPS).eval()
    process = Diffusion.named("sqrt", STEPS)
    t = torch.tensor([0, 6])
    start, noise = torch.randn(2, 2, 24, 8)
    loss = diffusion_loss(model, process, config, batch, t, start, noise)
    for b in range(2):
        e = model.ids.weight[batch.ids[b]]
        z_0 = e + process.beta[0] ** 0.5 * start[b]
        level = float(process.alpha_bar[t[b]])
        z_t = level**0.5 * z_0 + (1 - level) ** 0.5 * noise[b]
        z_t[:5] = z_0[:5]
        predicted = model(
            z_t[None], t[b : b + 1], model.condition(batch.positions[b : b + 1], batch.text[b : b + 1])
        )[0]
        target = e if t[b] == 0 else z_0
        n_known = 5 + len(paths[b]) + 2
        counted = [
            k
            for k in range(24)
            if (config.count_sentence or k >= 5) and (config.count_padding or k < n_known)
        ]
        mse = sum(((predicted[k] - target[k]) ** 2).mean() for k in counted) / len(counted)
        if config.loss == "paper":  # a squared norm is a sum over the dimensions
            mse = 8 * mse
        nll = sum(-torch.log_softmax(model.logits(z_0[k]), -1)[batch.ids[b, k]] for k in range(24)) / 24
        # What is left of the signal after every step, factor by factor: some 1e-5 here, far below the rest.
        left = math.prod(1 - float(beta) for beta in process.beta)
        prior = left * (z_0**2).mean() if config.loss == "released" else torch.tensor(0.0)
        torch.testing.assert_close(loss.prior[b], prior, rtol=1e-4, atol=0)
        torch.testing.assert_close(loss.mse[b], mse, rtol=1e-4, atol=1e-6)
        torch.testing.assert_close(loss.rounding[b], nll, rtol=1e-4, atol=1e-6)
        torch.testing.assert_close(loss.total[b], mse + nll + prior, rtol=1e-4, atol=1e-6)


def test_the_gradient_reaches_the_table_through_z_0() -> None:
    encoder = Lexical()
    batch = collate([training_tokens(encoder.encode(["a", "b"]), (0, 1), encoder.padding, MODEL)])
    model = Denoiser(MODEL, encoder.dim, STEPS)
    loss = diffusion_loss(
        model,
        Diffusion.named("sqrt", STEPS),
        DiffusionConfig(steps=STEPS),
        batch,
        torch.tensor([5]),
        torch.randn(1, 24, 8),
        torch.randn(1, 24, 8),
    )
    loss.mse.sum().backward()
    assert model.ids.weight.grad is not None
    assert model.ids.weight.grad.abs().sum() > 0

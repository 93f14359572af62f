"""The loss against its definition, position by position."""

from __future__ import annotations

import math

import pytest
import torch

from scandl.models.diffusion.batch import collate
from scandl.models.diffusion.denoiser import Denoiser
from scandl.models.diffusion.forward_process import Diffusion
from scandl.models.diffusion.loss import diffusion_loss
from scandl.models.diffusion.settings import DiffusionConfig, ModelConfig
from scandl.models.diffusion.tokens import training_tokens
from scandl.text.lexical import Lexical

MODEL = ModelConfig(layers=1, heads=2, dim=8, feed_forward=16, seq_len=24, buckets=(24,), encoder="lexical")
STEPS = 10


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

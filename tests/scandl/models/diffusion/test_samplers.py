"""Samplers: the formulas of DDPM and DDIM, and rounding."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor

from scandl.models.diffusion.batch import Batch, collate
from scandl.models.diffusion.denoiser import Denoiser
from scandl.models.diffusion.forward_process import Diffusion
from scandl.models.diffusion.noise_levels import Process
from scandl.models.diffusion.samplers import SAMPLERS, SamplerOptions
from scandl.models.diffusion.settings import ModelConfig
from scandl.models.diffusion.tokens import generation_tokens
from scandl.models.diffusion.torch_sampling import sample_ids
from scandl.seeds import stream
from scandl.text.lexical import Lexical

MODEL = ModelConfig(
    layers=1, heads=2, dim=16, feed_forward=32, seq_len=48, buckets=(24, 48), encoder="lexical"
)

WORDS = ["The", "cat", "sat", "on", "the", "mat."]

ENCODED = Lexical().encode(WORDS)


def question(n: int = 1) -> Batch:
    return collate([generation_tokens(ENCODED, Lexical().padding, MODEL)] * n)


def test_rounding_can_wait_until_the_noise_is_low() -> None:
    """Above the share nothing is rounded: there the next state is that of the bare prediction."""
    model = Denoiser(MODEL, Lexical.dim, 40).eval()

    def states(round_below: float) -> list[Tensor]:
        seen: list[Tensor] = []
        sample_ids(
            model,
            Diffusion.named("sqrt", 40),
            question(),
            [stream(1)],
            options=SamplerOptions(round_below=round_below),
            watch=lambda step, z, ids: seen.append(z.clone()),
        )
        return seen  # of steps 39, 38, ..., 0

    never, half, always = states(0.0), states(0.5), states(1.0)
    assert all(torch.equal(a, b) for a, b in zip(never[:20], half[:20], strict=True))
    assert not torch.equal(never[20], half[20])
    assert not torch.equal(never[0], always[0])


def test_ddpm_is_the_posterior_with_the_large_variance() -> None:
    process = Diffusion.named("cosine", 30)
    z, z_0, noise = torch.randn(3, 1, 4, 5)
    c0, c1, _ = process.posterior
    moved = SAMPLERS["ddpm"](process, 9, z, z_0, lambda: noise, SamplerOptions())
    torch.testing.assert_close(
        moved, float(c0[9]) * z_0 + float(c1[9]) * z + float(process.beta[9] ** 0.5) * noise
    )
    assert torch.equal(SAMPLERS["ddpm"](process, 0, z, z_0, lambda: noise, SamplerOptions()), z_0)


@pytest.mark.parametrize("eta", [0.0, 0.5, 1.0])
def test_ddim_follows_its_formula(eta: float) -> None:
    process = Diffusion.named("sqrt", 30)
    z, z_0, noise = torch.randn(3, 1, 4, 5, dtype=torch.float64)
    i = 12
    a, b = process.alpha_bar[i], process.alpha_bar[i - 1]
    sigma = eta * np.sqrt((1 - b) / (1 - a)) * np.sqrt(1 - a / b)
    epsilon = (z - np.sqrt(a) * z_0) / np.sqrt(1 - a)
    expected = np.sqrt(b) * z_0 + np.sqrt(1 - b - sigma**2) * epsilon + sigma * noise
    moved = SAMPLERS["ddim"](process, i, z, z_0, lambda: noise, SamplerOptions(eta=eta))
    torch.testing.assert_close(moved, expected)


def test_no_step_adds_more_noise_than_the_next_was_trained_with() -> None:
    """On few steps beta is larger than what is left at t = 0; on all steps it is as published."""
    whole = Process.named("sqrt", 2000)
    few = whole.respaced([0, 875, 1499, 1874, 1999])
    zeros, ones = torch.zeros(1, 1, 1), torch.ones(1, 1, 1)

    def added(process: Process, i: int) -> float:
        return float(SAMPLERS["ddpm"](process, i, zeros, zeros, lambda: ones, SamplerOptions()))

    assert few.beta[1] > 0.6
    assert added(few, 1) == pytest.approx(whole.start_std())
    assert [added(whole, i) for i in (1, 900, 1999)] == pytest.approx(
        [float(whole.beta[i]) ** 0.5 for i in (1, 900, 1999)]
    )

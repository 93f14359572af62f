"""The network as functions of its weights: constants of the sheet, nearest rows, the slow loop of sampling."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor

from scandl.models.arithmetic import NumpyArithmetic
from scandl.models.diffusion.denoiser import Denoiser, TokenBatch, collate
from scandl.models.diffusion.denoising_network import Noise, earlier, frequencies, nearness, sinusoid
from scandl.models.diffusion.loss import Diffusion
from scandl.models.diffusion.noise_levels import Process
from scandl.models.diffusion.settings import ModelConfig
from scandl.models.diffusion.tokens import generation_tokens
from scandl.models.diffusion.torch_model import sample_ids
from scandl.seeds import stream
from scandl.text.encoder import Lexical

MODEL = ModelConfig(
    layers=1, heads=2, dim=16, feed_forward=32, seq_len=48, buckets=(24, 48), encoder="lexical"
)

WORDS = ["The", "cat", "sat", "on", "the", "mat."]

ENCODED = Lexical().encode(WORDS)


def test_time_embedding_has_the_constants_of_the_sheet() -> None:
    row = sinusoid(np.array([500.0], dtype=np.float32), 2000, frequencies(np), NumpyArithmetic())[0]
    expected = [0.24098831, -0.96138300, 0.52165482, -0.97052802, 0.27521397, -0.85315664]
    np.testing.assert_allclose(row[[0, 1, 2, 64, 65, 66]], expected, rtol=0, atol=1e-5)


def test_the_nearest_row_has_the_smallest_distance() -> None:
    rng = np.random.default_rng(1)
    z, table = rng.standard_normal((4, 7, 5)), rng.standard_normal((11, 5))
    distances = np.sqrt(((z[:, :, None] - table) ** 2).sum(-1))
    assert np.array_equal(nearness(z, table).argmax(-1), distances.argmin(-1))


def question(n: int = 1) -> TokenBatch:
    return collate([generation_tokens(ENCODED, Lexical().padding, MODEL)] * n)


def test_every_prediction_is_rounded_to_rows_of_the_table() -> None:
    """The loop written slowly: predict, take the nearest row of each position, step, put the sentence back."""
    model = Denoiser(MODEL, Lexical.dim, 40).eval()
    process, batch, table = Diffusion.named("sqrt", 40), question(), model.ids.weight.detach()
    seen: list[Tensor] = []
    sample_ids(model, process, batch, [stream(1)], watch=lambda step, z, ids: seen.append(z.clone()))
    noise, mask = Noise([stream(1)], (batch.ids.shape[1], MODEL.dim)), batch.noised[..., None]
    clean = table[batch.ids]
    z = torch.where(mask, torch.from_numpy(noise.draw()), clean)
    condition = model.condition(batch.positions, batch.text)
    with torch.inference_mode():
        for i in range(39, -1, -1):
            z_0 = model(z, torch.tensor([i]), condition)
            rows = torch.cdist(z_0, table[None]).argmin(-1)
            z = earlier(process, i, z, table[rows], lambda: torch.from_numpy(noise.draw()))
            z = torch.where(mask, z, clean)
            torch.testing.assert_close(seen[39 - i], z, rtol=1e-4, atol=1e-4)


def test_a_step_is_the_posterior_with_the_large_variance() -> None:
    process = Diffusion.named("cosine", 30)
    z, z_0, noise = torch.randn(3, 1, 4, 5)
    c0, c1, _ = process.posterior
    moved = earlier(process, 9, z, z_0, lambda: noise)
    torch.testing.assert_close(
        moved, float(c0[9]) * z_0 + float(c1[9]) * z + float(process.beta[9] ** 0.5) * noise
    )
    assert torch.equal(earlier(process, 0, z, z_0, lambda: noise), z_0)


def test_no_step_adds_more_noise_than_the_next_was_trained_with() -> None:
    """On few steps beta is larger than what is left at t = 0; on all steps it is as published."""
    whole = Process.named("sqrt", 2000)
    few = whole.respaced([0, 875, 1499, 1874, 1999])
    zeros, ones = torch.zeros(1, 1, 1), torch.ones(1, 1, 1)

    def added(process: Process, i: int) -> float:
        return float(earlier(process, i, zeros, zeros, lambda: ones))

    assert few.beta[1] > 0.6
    assert added(few, 1) == pytest.approx(whole.start_std())
    assert [added(whole, i) for i in (1, 900, 1999)] == pytest.approx(
        [float(whole.beta[i]) ** 0.5 for i in (1, 900, 1999)]
    )

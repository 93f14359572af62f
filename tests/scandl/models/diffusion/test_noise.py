"""Noise: what lies beyond the bound is drawn again."""

from __future__ import annotations

import torch
from torch import Tensor

from scandl.models.diffusion.batch import Batch, collate
from scandl.models.diffusion.denoiser import Denoiser
from scandl.models.diffusion.forward_process import Diffusion
from scandl.models.diffusion.samplers import SamplerOptions
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


def test_noise_beyond_top_p_is_drawn_again() -> None:
    model = Denoiser(MODEL, Lexical.dim, 40).eval()
    batch = question()
    states: list[Tensor] = []
    hook = model.norm.register_forward_pre_hook(lambda module, inputs: states.append(inputs[0]))
    sample_ids(model, Diffusion.named("sqrt", 40), batch, [stream(3)], options=SamplerOptions(top_p=0.5))
    hook.remove()
    condition = model.condition(batch.positions, batch.text)
    from scandl.models.diffusion.denoiser import sinusoid

    first = states[0] - condition - model.time(sinusoid(torch.tensor([39]), 40)).unsqueeze(1)
    assert first[batch.noised].abs().max() <= 0.5 + 1e-5

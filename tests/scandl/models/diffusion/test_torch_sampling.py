"""Samplers: slow definitions, an oracle that must come through, and paths that ignore their batch."""

from __future__ import annotations

import gc
from collections.abc import Sequence

import pytest
import torch
from torch import Tensor

from scandl.models.diffusion.batch import Batch, collate
from scandl.models.diffusion.denoiser import Denoiser
from scandl.models.diffusion.forward_process import Diffusion
from scandl.models.diffusion.respacing import grid
from scandl.models.diffusion.samplers import SAMPLERS
from scandl.models.diffusion.settings import ModelConfig
from scandl.models.diffusion.tokens import generation_tokens, training_tokens
from scandl.models.diffusion.torch_sampling import sample_ids
from scandl.seeds import stream
from scandl.text.lexical import Lexical

MODEL = ModelConfig(
    layers=1, heads=2, dim=16, feed_forward=32, seq_len=48, buckets=(24, 48), encoder="lexical"
)

WORDS = ["The", "cat", "sat", "on", "the", "mat."]

ENCODED = Lexical().encode(WORDS)


class Oracle(Denoiser):
    """Knows the answer: predicts the embedding of the given ids, and remembers which steps it was asked about."""

    def __init__(self, answer: Tensor) -> None:
        super().__init__(MODEL, Lexical.dim, 40)
        self.answer = answer
        self.asked: list[int] = []

    def forward(self, z_t: Tensor, t: Tensor, condition: Tensor) -> Tensor:
        self.asked.append(int(t[0]))
        return self.ids(self.answer)


def truth(path: Sequence[int] = (0, 2, 1, 5)) -> Batch:
    return collate([training_tokens(ENCODED, tuple(path), Lexical().padding, MODEL)])


def question(n: int = 1) -> Batch:
    return collate([generation_tokens(ENCODED, Lexical().padding, MODEL)] * n)


@pytest.mark.parametrize("sampler", list(SAMPLERS))
@pytest.mark.parametrize("steps", [2, 7, 40])
def test_an_oracle_comes_through(sampler: str, steps: int) -> None:
    answer = truth().ids
    model = Oracle(answer).eval()
    chosen = grid(40, steps)
    process = Diffusion.named("sqrt", 40).respaced(chosen)
    ids = sample_ids(model, process, question(), [stream(1)], sampler=sampler)
    table = model.ids.weight.detach()
    assert torch.equal(ids, (table[answer] @ table.T + model.head_bias).argmax(-1))
    assert model.asked == chosen[::-1]  # the network is told the step it was trained with


def test_the_sentence_is_clean_at_every_step() -> None:
    model = Denoiser(MODEL, Lexical.dim, 40).eval()
    batch = question()
    n_sentence = int((~batch.noised).sum())
    seen: list[Tensor] = []
    sample_ids(
        model,
        Diffusion.named("sqrt", 40),
        batch,
        [stream(1)],
        watch=lambda step, z, ids: seen.append(z.clone()),
    )
    clean = model.ids(batch.ids)[:, :n_sentence]
    assert len(seen) == 40
    assert all(torch.equal(z[:, :n_sentence], clean) for z in seen)


def test_memory_does_not_grow_with_the_steps() -> None:
    model = Denoiser(MODEL, Lexical.dim, 40).eval()
    alive: list[int] = []

    def count(step: int, z: Tensor, ids: Tensor) -> None:
        if step in (37, 1):
            gc.collect()
            alive.append(sum(type(item) is Tensor and item.shape == z.shape for item in gc.get_objects()))

    sample_ids(model, Diffusion.named("sqrt", 40), question(), [stream(1)], watch=count)
    assert alive[0] == alive[1]

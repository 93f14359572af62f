"""Sampling: the slow definition of a step, rounding, the best valid sequence against brute force."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
import torch
from torch import Tensor

from scandl.files.symbol_repair import clean
from scandl.models.diffusion.denoiser import Denoiser, TokenBatch, collate
from scandl.models.diffusion.loss import Diffusion
from scandl.models.diffusion.noise_levels import Process
from scandl.models.diffusion.samplers import SamplerOptions, best_sequences, earlier
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


def question(n: int = 1) -> TokenBatch:
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


def all_valid(n: int, n_words: int, pad: int) -> Iterator[tuple[int, ...]]:
    for end in range(2, n):
        for words in product(range(1, n_words + 1), repeat=end - 1):
            yield (0, *words, n_words + 1, *[pad] * (n - end - 1))


@pytest.mark.parametrize("seed", range(20))
def test_no_valid_sequence_is_better(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, n_words, n_ids = int(rng.integers(3, 7)), int(rng.integers(1, 4)), 7
    scores = rng.normal(size=(1, n + 2, n_ids)).astype(np.float32)
    noised = np.arange(n + 2)[None] >= 2  # two positions of the sentence before
    found = best_sequences(scores, noised, np.array([n_words]))[0]
    own = scores[0, 2:]

    def total(ids: tuple[int, ...]) -> float:
        return float(sum(own[i, symbol] for i, symbol in enumerate(ids)))

    best = max(all_valid(n, n_words, n_ids - 1), key=total)
    assert tuple(found[2:].tolist()) == best
    assert found[:2].tolist() == scores[0, :2].argmax(axis=1).tolist()
    words, repairs = clean(best, n_words, pad=n_ids - 1)
    assert words
    assert not repairs


def test_a_valid_choice_of_each_position_stays() -> None:
    ids = [0, 2, 1, 3, 6, 6]
    scores = np.eye(7, dtype=np.float32)[ids][None] * 5
    assert best_sequences(scores, np.ones((1, 6), dtype=bool), np.array([2]))[0].tolist() == ids


def test_a_row_without_room_keeps_the_choice_of_each_position() -> None:
    scores = np.eye(5, dtype=np.float32)[[1, 1]][None]
    assert best_sequences(scores, np.ones((1, 2), dtype=bool), np.array([2]))[0].tolist() == [1, 1]

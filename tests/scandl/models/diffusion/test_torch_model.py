"""A model on torch: its checkpoint, random numbers that know no batch, samplers against slow definitions."""

from __future__ import annotations

import gc
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch
from scipy import stats
from torch import Tensor

from scandl.corpora import Card, Corpus
from scandl.errors import ScandlError
from scandl.models.diffusion.denoiser import Denoiser, TokenBatch, collate
from scandl.models.diffusion.denoising_network import DenoisingNetwork
from scandl.models.diffusion.diffusion_model import Denoising
from scandl.models.diffusion.fold_training import train
from scandl.models.diffusion.loss import Diffusion
from scandl.models.diffusion.noise_levels import grid
from scandl.models.diffusion.settings import ModelConfig, preset
from scandl.models.diffusion.tokens import generation_tokens, training_tokens
from scandl.models.diffusion.torch_model import (
    DeviceNoise,
    TrainedScandl,
    folded_from,
    keys_of,
    mixed,
    named_key,
    normals,
    read_scandl,
    sample_ids,
    uniforms,
    without_text,
)
from scandl.models.model import Request
from scandl.records import Scanpath, Sentence
from scandl.seeds import stream
from scandl.text.encoder import Lexical
from scandl.training.checkpoint import read_checkpoint

MASK = 2**64 - 1
CPU = torch.device("cpu")
MODEL = ModelConfig(
    layers=1, heads=2, dim=16, feed_forward=32, seq_len=48, buckets=(24, 48), encoder="lexical"
)
WORDS = ["The", "cat", "sat", "on", "the", "mat."]
ENCODED = Lexical().encode(WORDS)
SENTENCE = Sentence("s1", "The cat sat on the mat.")
CORPUS = Corpus(
    Card(name="toy"), {"s1": SENTENCE}, tuple(Scanpath(f"r{n}", "s1", (0, 1, n % 6)) for n in range(8))
)
CONFIG = preset(
    "small",
    [
        "model.layers=1",
        "model.dim=16",
        "model.heads=2",
        "model.feed_forward=16",
        "diffusion.steps=20",
        "training.steps=4",
        "training.batch=4",
        "training.save_every=2",
    ],
)


def test_another_models_checkpoint_is_not_ours(tmp_path: Path) -> None:
    torch.save({"format": 1, "config": {}}, tmp_path / "other.pt")
    with pytest.raises(ScandlError, match=r"other\.pt: a checkpoint, but not of ScanDL"):
        read_scandl(tmp_path / "other.pt")


def test_the_encoder_comes_back() -> None:
    saved = {
        "name": "lexical",
        "identity": "lexical/3",
        "tokenizer": "",
        "table": torch.arange(6.0).reshape(3, 2),
        "bias": torch.ones(2),
    }
    folded = folded_from(saved)
    assert (folded.name, folded.identity) == ("lexical", "lexical/3")
    np.testing.assert_array_equal(folded.table, [[0, 1], [2, 3], [4, 5]])


def test_the_projection_alone_is_left_out() -> None:
    weights = {
        name: torch.zeros(1) for name in ("text.weight", "text.bias", "texture", "layers.0.text.weight")
    }
    assert list(without_text(weights)) == ["texture", "layers.0.text.weight"]


def slow_mix(bits: int) -> int:
    """SplitMix64's finaliser on Python's whole numbers."""
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB & MASK
    return bits ^ (bits >> 31)


def test_the_hash_is_that_of_splitmix64() -> None:
    rng = np.random.default_rng(1)
    given = [0, 1, MASK, *(int(n) for n in rng.integers(0, MASK, 200, dtype=np.uint64))]
    signed = torch.tensor([n - 2**64 if n >= 2**63 else n for n in given])
    assert [n & MASK for n in mixed(signed).tolist()] == [slow_mix(n) for n in given]
    # The first number of SplitMix64 with seed 1234567, as its reference implementation prints it.
    assert slow_mix((1234567 + 0x9E3779B97F4A7C15) & MASK) == 6457827717110365317


def test_numbers_are_those_of_their_key_in_any_company() -> None:
    keys = keys_of(named_key(3, "noise"), torch.arange(64), 17, torch.zeros(64, dtype=torch.int64))
    whole = normals(keys, (5, 7))
    order = torch.randperm(64)
    assert torch.equal(normals(keys[order], (5, 7)), whole[order])
    assert torch.equal(torch.cat([normals(k, (5, 7)) for k in keys.split(9)]), whole)
    other = keys_of(named_key(3, "noise"), torch.arange(64), 18, torch.zeros(64, dtype=torch.int64))
    assert not (keys == other).any()
    assert len(set(keys.tolist())) == 64


def test_uniform_and_normal_numbers_are_that() -> None:
    keys = keys_of(named_key(1, "test"), torch.arange(4000), 5)
    assert stats.kstest(uniforms(keys).numpy(), "uniform").pvalue > 0.001
    drawn = normals(keys, (25,)).numpy()
    assert stats.kstest(drawn.ravel(), "norm").pvalue > 0.001
    assert drawn.var() == pytest.approx(1, abs=0.02)
    correlations = np.corrcoef(drawn.T)[np.triu_indices(25, 1)]  # between places
    assert np.abs(correlations).max() < 4.5 / math.sqrt(4000)
    neighbours = np.corrcoef(drawn[:-1].ravel(), drawn[1:].ravel())[0, 1]  # between instances
    assert abs(neighbours) < 4 / math.sqrt(drawn.size)
    later = normals(keys_of(named_key(1, "test"), torch.arange(4000), 6), (25,)).numpy()  # between steps
    assert abs(np.corrcoef(drawn.ravel(), later.ravel())[0, 1]) < 4 / math.sqrt(drawn.size)


def test_nothing_leaves_the_device() -> None:
    """The meta device has shapes and no numbers: whoever looked at one would fail."""
    keys = keys_of(7, torch.arange(4, device="meta"), 3)
    assert normals(keys, (2, 3)).device.type == "meta"


def test_noise_belongs_to_its_instance_and_draw() -> None:
    noise = DeviceNoise([stream(1, k) for k in range(6)], (5, 4), CPU)
    first, second = noise.draw(), noise.draw()
    alone = DeviceNoise([stream(1, 3)], (5, 4), CPU)
    assert torch.equal(alone.draw()[0], first[3])
    assert torch.equal(alone.draw()[0], second[3])
    assert not torch.isclose(first, second).any()
    many = DeviceNoise([stream(2, k) for k in range(50)], (20, 16), CPU)
    assert stats.kstest(many.draw().numpy().ravel(), "norm").pvalue > 0.001


class Oracle(Denoiser):
    """Knows the answer: predicts the embedding of the given ids, and remembers which steps it was asked about."""

    def __init__(self, answer: Tensor) -> None:
        super().__init__(MODEL, Lexical.dim, 40)
        self.answer = answer
        self.asked: list[int] = []

    def network(self) -> DenoisingNetwork:
        network = super().network()
        network.predict = self._told  # type: ignore[method-assign]
        return network

    def _told(self, z_t: Tensor, t: Tensor, condition: Tensor) -> Tensor:
        self.asked.append(int(t[0]))
        return self.ids(self.answer)


def truth(path: Sequence[int] = (0, 2, 1, 5)) -> TokenBatch:
    return collate([training_tokens(ENCODED, tuple(path), Lexical().padding, MODEL)])


def question(n: int = 1) -> TokenBatch:
    return collate([generation_tokens(ENCODED, Lexical().padding, MODEL)] * n)


@pytest.mark.parametrize("steps", [2, 7, 40])
def test_an_oracle_comes_through(steps: int) -> None:
    answer = truth().ids
    model = Oracle(answer).eval()
    chosen = grid(40, steps)
    process = Diffusion.named("sqrt", 40).respaced(chosen)
    ids = sample_ids(model, process, question(), [stream(1)])
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


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train(
        CONFIG, CORPUS, tmp_path_factory.mktemp("run"), fold={"fold_id": "all"}, device="cpu", quiet=True
    )


@pytest.mark.parametrize("weights", ["ema", "weights"])
def test_it_has_the_weights_that_were_asked_for(checkpoint: Path, weights: str) -> None:
    model = TrainedScandl.load(checkpoint, weights=weights, device="cpu")
    saved = read_checkpoint(checkpoint)[weights]
    for name, value in model.denoiser.state_dict().items():
        torch.testing.assert_close(value, saved[f"denoiser.{name}"])
    assert not model.denoiser.training
    assert model.fold == {"fold_id": "all"}
    assert model.config.training == CONFIG.training
    assert set(model.config.model.buckets) <= set(CONFIG.model.buckets)


def test_it_reads_the_same_each_time(checkpoint: Path) -> None:
    requests = [Request(SENTENCE, "", k) for k in range(3)]
    paths = [
        TrainedScandl.load(checkpoint, device="cpu").read(requests, seed=2, sampling=Denoising(steps=5))
        for _ in range(2)
    ]
    assert paths[0] == paths[1]
    assert all(0 <= word < SENTENCE.n_words for path in paths[0] for word in path.positions)

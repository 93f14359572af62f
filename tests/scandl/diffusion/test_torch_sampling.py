"""Samplers: slow definitions, an oracle that must come through, and paths that ignore their batch."""

from __future__ import annotations

import gc
from collections.abc import Sequence

import numpy as np
import pytest
import torch
from torch import Tensor

from scandl.diffusion.batch import Batch, collate
from scandl.diffusion.denoiser import Denoiser
from scandl.diffusion.forward_process import Diffusion
from scandl.diffusion.respacing import grid
from scandl.diffusion.rounding import nearest
from scandl.diffusion.samplers import SAMPLERS, SamplerOptions
from scandl.diffusion.settings import DiffusionConfig, ModelConfig, ScandlConfig
from scandl.diffusion.tokens import generation_tokens, training_tokens
from scandl.diffusion.torch_sampling import sample_ids
from scandl.errors import ScandlError
from scandl.files.symbol_repair import repaired_paths
from scandl.generators import Request
from scandl.inference.torch_model import Sampling, TrainedScandl
from scandl.records import Sentence
from scandl.seeds import stream
from scandl.text.lexical import Lexical

MODEL = ModelConfig(
    layers=1, heads=2, dim=16, feed_forward=32, seq_len=48, buckets=(24, 48), encoder="lexical"
)
CONFIG = ScandlConfig(model=MODEL, diffusion=DiffusionConfig(steps=40))
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


def test_rounding_can_wait_until_the_noise_is_low() -> None:
    """Above the share nothing is rounded: there the next state is that of the bare prediction."""
    model = Denoiser(MODEL, Lexical.dim, 40).eval()

    def states(round_below: float) -> list[Tensor]:
        seen: list[Tensor] = []
        sample_ids(
            model, Diffusion.named("sqrt", 40), question(), [stream(1)],
            options=SamplerOptions(round_below=round_below), watch=lambda step, z, ids: seen.append(z.clone()),
        )  # fmt: skip
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


def test_nearest_is_the_smallest_distance() -> None:
    z, table = torch.randn(4, 7, 5), torch.randn(11, 5)
    assert torch.equal(nearest(z, table), torch.cdist(z.reshape(-1, 5), table).argmin(-1).view(4, 7))


def test_noise_beyond_top_p_is_drawn_again() -> None:
    model = Denoiser(MODEL, Lexical.dim, 40).eval()
    batch = question()
    states: list[Tensor] = []
    hook = model.norm.register_forward_pre_hook(lambda module, inputs: states.append(inputs[0]))
    sample_ids(model, Diffusion.named("sqrt", 40), batch, [stream(3)], options=SamplerOptions(top_p=0.5))
    hook.remove()
    condition = model.condition(batch.positions, batch.text)
    from scandl.diffusion.denoiser import sinusoid

    first = states[0] - condition - model.time(sinusoid(torch.tensor([39]), 40)).unsqueeze(1)
    assert first[batch.noised].abs().max() <= 0.5 + 1e-5


def trained() -> TrainedScandl:
    torch.manual_seed(4)
    return TrainedScandl(CONFIG, Lexical(), Denoiser(MODEL, Lexical.dim, 40), {})


def test_a_scanpath_is_the_same_in_any_batch() -> None:
    sentences = [Sentence(f"s{n}", " ".join(WORDS[:n] * (1 + n % 2))) for n in range(1, 7)]
    requests = [Request(s, reader, k) for s in sentences for reader in ("a", "b") for k in range(3)]
    ones, sevens, all_at_once = (
        trained().generate(requests, seed=5, sampling=Sampling(steps=10, batch=size)) for size in (1, 7, 64)
    )
    assert ones == sevens == all_at_once
    backwards = trained().generate(requests[::-1], seed=5, sampling=Sampling(steps=10, batch=7))
    assert backwards[::-1] == ones
    assert trained().generate(requests, seed=6, sampling=Sampling(steps=10)) != ones


def test_each_path_tells_its_encoder_and_its_repairs() -> None:
    model = trained()
    paths = model.generate(
        [Request(Sentence("s", "one two three"), "", k) for k in range(20)],
        seed=1,
        sampling=Sampling(steps=5),
    )
    assert {path.extra["encoder"] for path in paths} == {model.encoder.identity}
    repairs = repaired_paths(path.extra["repairs"] for path in paths)
    assert 0 < repairs["no CLS"] <= 20  # an untrained model rarely starts with CLS


def test_an_empty_text_and_too_few_steps_are_refused() -> None:
    with pytest.raises(ScandlError, match="sentence 's' is empty: there is nothing to read"):
        trained().generate([Request(Sentence("s", "  "))], seed=1, sampling=Sampling(steps=5))
    with pytest.raises(ScandlError, match="sampling steps: found 1, expected 2..40"):
        trained().generate([Request(Sentence("s", "a b"))], seed=1, sampling=Sampling(steps=1))


def test_a_model_refuses_to_be_tested_on_what_it_learned() -> None:
    model = trained()
    model.fold = {"fold_id": "ns-0", "setting": "ns", "train": [["r1", "s1"], ["r2", "s2"]]}
    model.refuse_leak([("r1", "s3")], "c")
    with pytest.raises(ScandlError, match="the checkpoint of fold ns-0 was trained on sentence 's2'"):
        model.refuse_leak([("r1", "s3"), ("r9", "s2")], "c")
    model.fold["setting"] = "nr"
    with pytest.raises(ScandlError, match="was trained on reader 'r1'"):
        model.refuse_leak([("r1", "s3")], "c")
    model.fold = {"setting": "cross", "corpus": "c"}
    model.refuse_leak([("r1", "s3")], "another", "cross")
    with pytest.raises(ScandlError, match="was trained on corpus 'c', which it is asked to be tested on"):
        model.refuse_leak([("r1", "s3")], "c")


@pytest.mark.parametrize(
    ("own", "setting", "reason"),
    [
        ("nr", "nrns", "was trained on sentence 's1'"),
        ("nr", "ns", "was trained on sentence 's1'"),
        ("ns", "nrns", "was trained on reader 'r1'"),
        ("ns", "nr", "was trained on reader 'r1'"),
        ("ns", "cross", "was trained on corpus 'c', which it is asked to be tested on"),
    ],
)
def test_what_the_requested_setting_calls_new_must_be_new(own: str, setting: str, reason: str) -> None:
    model = trained()
    model.fold = {"fold_id": f"{own}-0", "setting": own, "corpus": "c", "train": [["r1", "s1"]]}
    pair = ("r2", "s1") if own == "nr" else ("r1", "s2")
    model.refuse_leak([pair], "c", own)
    with pytest.raises(ScandlError, match=reason):
        model.refuse_leak([pair], "c", setting)


def test_ids_of_another_corpus_are_others_and_its_setting_is_cross() -> None:
    model = trained()
    model.fold = {"fold_id": "nrns-0", "setting": "nrns", "corpus": "c", "train": [["r1", "s1"]]}
    model.refuse_leak([("r1", "s1")], "another", "cross")
    for setting in ("ns", "nr", "nrns"):
        with pytest.raises(
            ScandlError,
            match=f"trained on corpus 'c': on 'another' .* in setting '{setting}', use --setting cross",
        ):
            model.refuse_leak([("r9", "s9")], "another", setting)
    model.fold = {}
    model.refuse_leak([("r1", "s1")], "c", "cross")

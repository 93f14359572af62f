"""Generation: the same path in any company."""

from __future__ import annotations

import pytest
import torch

from scandl.errors import ScandlError
from scandl.files.symbol_repair import repaired_paths
from scandl.models.diffusion.denoiser import Denoiser
from scandl.models.diffusion.settings import DiffusionConfig, ModelConfig, ScandlConfig
from scandl.models.diffusion.tokens import Lengths
from scandl.models.diffusion.torch_model import Denoising, TrainedScandl
from scandl.models.model import Request
from scandl.records import Sentence
from scandl.text.encoder import Lexical

MODEL = ModelConfig(
    layers=1, heads=2, dim=16, feed_forward=32, seq_len=48, buckets=(24, 48), encoder="lexical"
)

CONFIG = ScandlConfig(model=MODEL, diffusion=DiffusionConfig(steps=40))

WORDS = ["The", "cat", "sat", "on", "the", "mat."]


def trained() -> TrainedScandl:
    torch.manual_seed(4)
    return TrainedScandl(CONFIG, Lexical(), Denoiser(MODEL, Lexical.dim, 40), {})


def test_a_scanpath_is_the_same_in_any_batch() -> None:
    sentences = [Sentence(f"s{n}", " ".join(WORDS[:n] * (1 + n % 2))) for n in range(1, 7)]
    requests = [Request(s, reader, k) for s in sentences for reader in ("a", "b") for k in range(3)]
    ones, sevens, all_at_once = (
        trained().read(requests, seed=5, sampling=Denoising(steps=10, batch=size)) for size in (1, 7, 64)
    )
    assert ones == sevens == all_at_once
    backwards = trained().read(requests[::-1], seed=5, sampling=Denoising(steps=10, batch=7))
    assert backwards[::-1] == ones
    assert trained().read(requests, seed=6, sampling=Denoising(steps=10)) != ones


def test_each_path_tells_its_encoder_and_its_repairs() -> None:
    model = trained()
    requests = [Request(Sentence("s", "one two three"), "", k) for k in range(20)]
    paths = model.read(requests, seed=1, sampling=Denoising(steps=5))
    assert {path.extra["encoder"] for path in paths} == {model.encoder.identity}
    repairs = repaired_paths(path.extra["repairs"] for path in paths)
    assert 0 < repairs["no CLS"] <= 20  # an untrained model rarely starts with CLS


def test_an_empty_text_and_too_few_steps_are_refused() -> None:
    with pytest.raises(ScandlError, match="sentence 's' is empty: there is nothing to read"):
        trained().read([Request(Sentence("s", "  "))], seed=1, sampling=Denoising(steps=5))
    with pytest.raises(ScandlError, match="sampling steps: found 1, expected 2..40"):
        trained().read([Request(Sentence("s", "a b"))], seed=1, sampling=Denoising(steps=1))


def test_the_room_of_a_path_belongs_to_the_request_and_longer_sentences_are_told_of() -> None:
    model = trained()
    model.lengths = Lengths(3, (1.0, 12.0))
    requests = [Request(Sentence(s, "one two three"), "", k) for s in "ab" for k in range(20)]
    rooms = [len(model.tokens(request, seed=2).ids) for request in requests]
    assert set(rooms) == {24, 48}  # both kinds of readers
    assert [len(model.tokens(request, seed=2).ids) for request in requests[::-1]] == rooms[::-1]
    sentences = [Sentence("c", "one two three four"), *(request.sentence for request in requests)]
    with pytest.warns(UserWarning, match="^1 of 3 sentences are longer than the 3 words of the longest"):
        model.warn_of_longer(sentences)
    model.warn_of_longer(sentences[1:])  # a warning would be an error

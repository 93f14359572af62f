"""Folding: the same vectors as the whole encoder with its projection, and generation without the encoder."""

from __future__ import annotations

import importlib.metadata
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from scandl.config import TrainingConfig
from scandl.corpora import Card, Corpus
from scandl.errors import ScandlError
from scandl.models.diffusion.fold_training import train
from scandl.models.diffusion.settings import DiffusionConfig, ModelConfig, ScandlConfig
from scandl.models.diffusion.torch_model import Denoising, TrainedScandl
from scandl.models.model import Request
from scandl.records import Scanpath, Sentence
from scandl.text.encoder import Lexical, TextEncoder, find_encoder
from scandl.text.folded import Folded, fold
from scandl.text.pretrained import MINILM_PACKAGE, WordPieces
from scandl.training.checkpoint import read_checkpoint

WORDS = ("The", "unbelievable", "cat", "sat.")
MODEL = ModelConfig(layers=1, heads=2, dim=16, feed_forward=32, seq_len=48, buckets=(48,))
CONFIG = ScandlConfig(
    model=MODEL,
    diffusion=DiffusionConfig(steps=20),
    training=TrainingConfig(steps=3, batch=4, save_every=3, lr=1e-2, validation="none"),
)
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "The", "un", "##believ", "##able", "cat", "sat", "."]


@pytest.fixture
def tiny_bert(tmp_path: Path) -> Path:
    """A random BERT with eleven word pieces, saved the way the paper's encoder is."""
    transformers = pytest.importorskip("transformers")
    vocabulary = tmp_path / "vocab.txt"
    vocabulary.write_text("\n".join(PIECES))
    folder = tmp_path / "bert"
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(PIECES),
        hidden_size=12,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=8,
    )
    transformers.BertModel(config).save_pretrained(folder)
    transformers.BertTokenizerFast(vocab=str(vocabulary), do_lower_case=False).save_pretrained(folder)
    return folder


@pytest.fixture
def encoder(tiny_bert: Path) -> Callable[[str], TextEncoder]:
    def find(name: str) -> TextEncoder:
        if name == "minilm":
            try:
                importlib.metadata.version(MINILM_PACKAGE)
            except importlib.metadata.PackageNotFoundError:
                pytest.skip(f"{MINILM_PACKAGE} is not installed")
        return find_encoder(str(tiny_bert) if name == "bert" else name)

    return find


def test_words_are_split_into_pieces_one_by_one(encoder: Callable[[str], TextEncoder]) -> None:
    bert = encoder("bert")
    assert isinstance(bert, WordPieces)
    encoded = bert.encode(WORDS)
    assert encoded.word_ids == (0, 1, 2, 2, 2, 3, 4, 4, 5)
    rows = [PIECES.index(p) for p in ("[CLS]", "The", "un", "##believ", "##able", "cat", "sat", ".", "[SEP]")]
    np.testing.assert_array_equal(encoded.vectors, bert.table[rows])
    np.testing.assert_array_equal(bert.padding, bert.table[0])
    assert bert.encode(["dog"]).word_ids == (0, 1, 2)  # an unknown word is one piece


@pytest.mark.parametrize("name", ["lexical", "bert", "minilm"])
def test_folding_is_encoding_and_projecting(name: str, encoder: Callable[[str], TextEncoder]) -> None:
    whole = encoder(name)
    rng = np.random.default_rng(1)
    weight = rng.normal(size=(whole.dim, 7)).astype(np.float32)
    bias = rng.normal(size=7).astype(np.float32)
    opened = fold(whole, weight, bias).open()
    expected = whole.encode(WORDS)
    found = opened.encode(WORDS)
    assert found.word_ids == expected.word_ids
    np.testing.assert_allclose(found.vectors, expected.vectors @ weight + bias, rtol=0, atol=1e-5)
    np.testing.assert_allclose(opened.padding, whole.padding @ weight + bias, rtol=0, atol=1e-5)
    assert (opened.name, opened.identity, opened.dim) == (whole.name, whole.identity, 7)


def corpus() -> Corpus:
    sentence = Sentence("s", " ".join(WORDS))
    return Corpus(Card(name="t"), {"s": sentence}, tuple(Scanpath(f"r{i}", "s", (0, 1, i)) for i in range(4)))


@pytest.mark.parametrize(
    "change", [{}, {"dim": 12}, {"text_and_position": False}, {"sentence_condition": False}]
)
def test_generation_needs_no_encoder(tmp_path: Path, tiny_bert: Path, change: dict[str, int | bool]) -> None:
    """Trained with a model folder that is then gone; width 12 is the encoder's own and has no projection."""
    model = replace(MODEL, encoder=str(tiny_bert), **change)  # type: ignore[arg-type]
    path = train(replace(CONFIG, model=model), corpus(), tmp_path / "run", device="cpu", quiet=True)
    shutil.rmtree(tiny_bert)
    requests = [Request(corpus().sentences["s"], "", k) for k in range(4)]
    for weights in ("ema", "weights"):
        trained = TrainedScandl.load(path, weights=weights, device="cpu")
        assert len(trained.read(requests, seed=1, sampling=Denoising(steps=4))) == 4
    assert trained.encoder.identity.startswith("bert/")
    assert read_checkpoint(path)["encoder"] == trained.encoder.identity


def test_the_condition_is_that_of_training(tmp_path: Path, tiny_bert: Path) -> None:
    from scandl.models.diffusion.denoiser import collate
    from scandl.models.diffusion.diffusion_task import ScandlTask
    from scandl.models.diffusion.tokens import generation_tokens

    config = replace(CONFIG, model=replace(MODEL, encoder=str(tiny_bert)))
    whole = find_encoder(str(tiny_bert))
    task = ScandlTask(config, whole, corpus())
    path = train(config, corpus(), tmp_path / "run", device="cpu", quiet=True)
    saved = read_checkpoint(path)
    task.module.load_state_dict(saved["ema"])
    loaded = TrainedScandl.load(path, device="cpu")
    conditions = [
        denoiser.condition(batch.positions, batch.text).detach()
        for denoiser, encoder in ((task.module.denoiser, whole), (loaded.denoiser, loaded.encoder))
        for batch in [collate([generation_tokens(encoder.encode(WORDS), encoder.padding, config.model)])]
    ]
    torch.testing.assert_close(*conditions, rtol=0, atol=1e-5)


def test_another_version_of_an_encoder_is_not_taken_for_its_own() -> None:
    old = Folded("lexical", "lexical/0", "", np.zeros((64, 4), np.float32), np.zeros(4, np.float32))
    with pytest.raises(ScandlError, match=f"trained with encoder lexical/0, found {Lexical.identity}"):
        old.open()


def test_an_encoder_that_cannot_be_loaded_says_what_works_offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(
        ScandlError, match="text encoder 'no/such-model' cannot be loaded .*minilm or lexical"
    ):
        from scandl.text.pretrained import pretrained

        pretrained("no/such-model")

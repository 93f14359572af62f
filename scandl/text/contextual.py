"""Encoders whose vectors depend on the sentence: the last hidden states of a trained language model."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from scandl.errors import ScandlError
from scandl.extras import need
from scandl.progress import without_bars
from scandl.registry import Registry
from scandl.text.encoder import EncodedSentence, TextEncoder, Vectors, find_encoder
from scandl.text.wordpiece import WordPieces, load_pretrained, minilm, minilm_folder

CONTEXTUAL: Registry[Callable[[], TextEncoder]] = Registry(
    "contextual text encoder", entry_point_group="scandl.contextual_encoders"
)


class Contextual:
    """The pieces of a static encoder, seen by the whole frozen model; each sentence is run once."""

    def __init__(self, pieces: WordPieces, model: Any, identity: str) -> None:
        self.name = f"{pieces.name}, contextual"
        self.identity = identity
        self.dim = int(model.config.hidden_size)
        self._pieces = pieces
        self._model = model.eval()
        self._longest = int(model.config.max_position_embeddings)
        self._known: dict[tuple[str, ...], EncodedSentence] = {}

    @property
    def padding(self) -> Vectors:
        """No word at all."""
        return np.zeros(self.dim, dtype=np.float32)

    def encode(self, words: Sequence[str]) -> EncodedSentence:
        """Return the last hidden states of CLS, all pieces, SEP."""
        key = tuple(words)
        if key not in self._known:
            self._known[key] = self._run(key)
        return self._known[key]

    def _run(self, words: tuple[str, ...]) -> EncodedSentence:
        import torch

        word_ids, rows = self._pieces.rows(words)
        if len(rows) > self._longest:
            raise ScandlError(
                f"text encoder {self.name!r}: a sentence of {len(rows)} word pieces, it reads {self._longest}"
            )
        with torch.no_grad():
            states = self._model(input_ids=torch.tensor([rows])).last_hidden_state[0]
        return EncodedSentence(word_ids, states.float().numpy())


@CONTEXTUAL.register("minilm")
def contextual_minilm() -> TextEncoder:
    """Load the whole model inside the PyPI package; its file was checked when the static table was read."""
    transformers = need("transformers", "model")
    pieces = minilm()
    assert isinstance(pieces, WordPieces)
    with without_bars(transformers.utils.logging):
        model = transformers.AutoModel.from_pretrained(minilm_folder())
    return Contextual(pieces, model, f"{pieces.identity}/states")


@CONTEXTUAL.register("bert-base-cased")
def contextual_bert() -> TextEncoder:
    """Load the paper's model from a local cache or the hub."""
    return contextual_pretrained("bert-base-cased")


def contextual_pretrained(name: str) -> Contextual:
    """Load any BERT-like model, by hub name or path."""
    pieces, model = load_pretrained(name)
    digest = hashlib.sha256()
    for key, weight in sorted(model.state_dict().items()):
        digest.update(key.encode() + weight.detach().numpy().tobytes())
    label = pieces.identity.rpartition("/")[0]
    return Contextual(pieces, model, f"{label}/{digest.hexdigest()[:16]}/states")


def find_contextual(name: str) -> TextEncoder:
    """Return the encoder of that name with context; one that knows none, such as ``lexical``, as it is."""
    if name in CONTEXTUAL:
        return CONTEXTUAL[name]()
    return contextual_pretrained(name) if Path(name).is_dir() else find_encoder(name)

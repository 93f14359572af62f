"""A text encoder with the learned projection folded in: all that generation needs to know of a text.

The static table times the projection is a smaller table. It is kept with the trained model, so
that generating needs neither the encoder's weights nor the network they came from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scandl.errors import ScandlError
from scandl.extras import need
from scandl.text.encoder import EncodedSentence, TextEncoder, Vectors, find_encoder
from scandl.text.pretrained import WordPieces


@dataclass(frozen=True, slots=True)
class Folded:
    """An encoder as it is stored: plain text and two arrays."""

    name: str
    identity: str  # of the encoder the model was trained with
    tokenizer: str  # of word pieces, as JSON; empty for an encoder that computes its vectors
    table: Vectors  # (pieces, d) projected rows; or (dim, d), the projection of computed vectors
    bias: Vectors  # (d,)

    def open(self) -> TextEncoder:
        """Return an encoder whose vectors are in the model's space."""
        if self.tokenizer:
            tokenizer = need("tokenizers", "model").Tokenizer.from_str(self.tokenizer)
            return WordPieces(self.name, self.identity, tokenizer, self.table + self.bias)
        encoder = find_encoder(self.name)
        if encoder.identity != self.identity:
            raise ScandlError(f"the model was trained with encoder {self.identity}, found {encoder.identity}")
        return Projected(encoder, self.table, self.bias)


class Projected:
    """An encoder that computes its vectors, and the projection of these."""

    def __init__(self, encoder: TextEncoder, weight: Vectors, bias: Vectors) -> None:
        self.name = encoder.name
        self.identity = encoder.identity
        self.dim = len(bias)
        self._encoder = encoder
        self._weight = weight
        self._bias = bias

    @property
    def padding(self) -> Vectors:
        """The projected padding vector."""
        return self._encoder.padding @ self._weight + self._bias

    def encode(self, words: Sequence[str], language: str = "en") -> EncodedSentence:
        """Return the projected pieces."""
        encoded = self._encoder.encode(words, language)
        return EncodedSentence(encoded.word_ids, encoded.vectors @ self._weight + self._bias)


def fold(encoder: TextEncoder, weight: Vectors, bias: Vectors) -> Folded:
    """Return ``encoder`` with a projection x W + b, W (dim, d), folded into what is stored of it."""
    if isinstance(encoder, WordPieces):
        tokenizer, table = encoder.tokenizer.to_str(), encoder.table @ weight
    else:
        tokenizer, table = "", weight
    return Folded(encoder.name, encoder.identity, tokenizer, table.astype(np.float32), bias)

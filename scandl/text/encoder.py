"""Static vectors for the pieces of a sentence: what a text encoder gives the model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scandl.registry import Registry

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class EncodedSentence:
    """A sentence as the model reads it: CLS, the pieces of its words, SEP."""

    word_ids: tuple[int, ...]  # 0 for CLS, k for each piece of the k-th word (1-based), M + 1 for SEP
    vectors: Vectors  # (pieces, dim)

    @property
    def n_words(self) -> int:
        """M, the number of words."""
        return self.word_ids[-1] - 1


class TextEncoder(Protocol):
    """Turns words into static vectors; no context, no training."""

    name: str
    identity: str  # what exactly was used: recorded in checkpoints and outputs, compared when they meet
    dim: int

    @property
    def padding(self) -> Vectors:
        """The vector of every position after the sentence, (dim,)."""
        ...

    def encode(self, words: Sequence[str]) -> EncodedSentence:
        """Return the pieces of a sentence of at least one word."""
        ...


ENCODERS: Registry[Callable[[], TextEncoder]] = Registry("text encoder", entry_point_group="scandl.encoders")


def find_encoder(name: str) -> TextEncoder:
    """Return the encoder of that name: one of ours, one another package registered, or a model's path."""
    from scandl.text import lexical, wordpiece  # noqa: F401  (they register themselves)

    if name not in ENCODERS and Path(name).is_dir():
        return wordpiece.pretrained(name)
    return ENCODERS[name]()

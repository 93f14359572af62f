"""Static vectors for the pieces of a sentence: what a text encoder gives the model.

The encoder ``lexical`` needs nothing: spelling, length and frequency of each word. Character n-grams are
hashed into a fixed number of signed features, so similar spellings have similar vectors and no word is
unknown. Spelling has a small share of a vector: length and frequency are what carries over to words a model
has not seen. They are standardised within a language, so that a word that is long for Hindi looks as one that
is long for English.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scandl.extras import Registry
from scandl.text.word_facts import LanguageScale, as_english, is_word_sign, known_language, n_characters, zipf

Vectors = NDArray[np.float32]
ENCODERS: Registry[Callable[[], TextEncoder]] = Registry("text encoder", entry_point_group="scandl.encoders")
_HASHED = 56
_FACTS = 8  # CLS, SEP, length, frequency, capital, punctuation, digits, share of letters
_SIZES = (1, 2, 3)
_SPELLING = 0.25  # the length of the hashed part, beside facts of about unit spread


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

    def encode(self, words: Sequence[str], language: str = "en") -> EncodedSentence:
        """Return the pieces of a sentence of at least one word in a language."""
        ...


def find_encoder(name: str) -> TextEncoder:
    """Return the encoder of that name: one of ours, one another package registered, or a model's path."""
    from scandl.text import pretrained  # it registers its own

    if name not in ENCODERS and Path(name).is_dir():
        return pretrained.pretrained(name)
    return ENCODERS[name]()


@ENCODERS.register("lexical")
class Lexical:
    """One piece a word."""

    name = "lexical"
    identity = "lexical/3"
    dim = _HASHED + _FACTS

    @property
    def padding(self) -> Vectors:
        """No word at all."""
        return np.zeros(self.dim, dtype=np.float32)

    def encode(self, words: Sequence[str], language: str = "en") -> EncodedSentence:
        """Return CLS, one vector a word, SEP."""
        code = known_language(language)
        rows = [_special(0), *(_vector(word, code) for word in words), _special(1)]
        return EncodedSentence(tuple(range(len(words) + 2)), np.stack(rows))


def _special(fact: int) -> Vectors:
    vector = np.zeros(_HASHED + _FACTS, dtype=np.float32)
    vector[_HASHED + fact] = 1.0
    return vector


@lru_cache(maxsize=100_000)
def _vector(word: str, language: str) -> Vectors:
    vector = np.zeros(_HASHED + _FACTS, dtype=np.float32)
    grams = list(_grams(f"^{word.lower()}$"))
    for gram in grams:
        # crc32 is the same on every machine and run; Python's own hash is not.
        code = zlib.crc32(gram.encode())
        vector[code % _HASHED] += 1.0 if (code >> 16) & 1 else -1.0
    vector[:_HASHED] *= _SPELLING / np.sqrt(len(grams))
    length, frequency = _as_english(word, language)
    vector[_HASHED + 2 :] = (
        (min(length, 20.0) - 5.0) / 2.5,
        frequency - 5.0,
        float(word[:1].isupper()),
        float(not is_word_sign(word[-1])),
        float(any(c.isdigit() for c in word)),
        n_characters("".join(c for c in word if is_word_sign(c) and not c.isdigit())) / n_characters(word),
    )
    return vector


def _as_english(word: str, language: str) -> tuple[float, float]:
    """Return length and Zipf value of the English word that is as long and as frequent for its language."""
    length, frequency = float(n_characters(word)), zipf(word, language)
    if language == "en":
        return length, frequency
    own, english = LanguageScale.of(language), LanguageScale.of("en")
    return (
        max(1.0, as_english(length, own.length, english.length)),
        as_english(frequency, own.zipf, english.zipf),
    )


def _grams(text: str) -> Iterator[str]:
    for size in _SIZES:
        for start in range(len(text) - size + 1):
            yield text[start : start + size]

"""The encoder that needs nothing: spelling, length and frequency of each word.

Character n-grams are hashed into a fixed number of signed features, so similar spellings have
similar vectors and no word is unknown. Spelling has a small share of a vector: length and frequency
are what carries over to words a model has not seen.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from scandl.text.encoder import ENCODERS, EncodedSentence, Vectors

_HASHED = 56
_FACTS = 8  # CLS, SEP, length, frequency, capital, punctuation, digits, share of letters
_SIZES = (1, 2, 3)
_SPELLING = 0.25  # the length of the hashed part, beside facts of about unit spread


@ENCODERS.register("lexical")
class Lexical:
    """One piece a word."""

    name = "lexical"
    identity = "lexical/2"
    dim = _HASHED + _FACTS

    @property
    def padding(self) -> Vectors:
        """No word at all."""
        return np.zeros(self.dim, dtype=np.float32)

    def encode(self, words: Sequence[str]) -> EncodedSentence:
        """Return CLS, one vector a word, SEP."""
        rows = [_special(0), *(_vector(word) for word in words), _special(1)]
        return EncodedSentence(tuple(range(len(words) + 2)), np.stack(rows))


def _special(fact: int) -> Vectors:
    vector = np.zeros(_HASHED + _FACTS, dtype=np.float32)
    vector[_HASHED + fact] = 1.0
    return vector


@lru_cache(maxsize=100_000)
def _vector(word: str) -> Vectors:
    from wordfreq import zipf_frequency

    vector = np.zeros(_HASHED + _FACTS, dtype=np.float32)
    grams = list(_grams(f"^{word.lower()}$"))
    for gram in grams:
        # crc32 is the same on every machine and run; Python's own hash is not.
        code = zlib.crc32(gram.encode())
        vector[code % _HASHED] += 1.0 if (code >> 16) & 1 else -1.0
    vector[:_HASHED] *= _SPELLING / np.sqrt(len(grams))
    letters = [c for c in word if c.isalpha()]
    vector[_HASHED + 2 :] = (
        (min(len(word), 20) - 5.0) / 2.5,
        zipf_frequency(word, "en") - 5.0,
        float(word[:1].isupper()),
        float(not word[-1:].isalnum()),
        float(any(c.isdigit() for c in word)),
        len(letters) / max(len(word), 1),
    )
    return vector


def _grams(text: str) -> Iterator[str]:
    for size in _SIZES:
        for start in range(len(text) - size + 1):
            yield text[start : start + size]

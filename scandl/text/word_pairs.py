"""How much a word surprises after the word before it, by a table of English word pairs that is shipped.

The pairs are those of the English language model of pocketsphinx (CMU Sphinx, BSD) that tell most, made by
``scandl.text.make_word_pairs``. So a model that is told of context needs no language model to be installed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from scandl.text.trigrams import START
from scandl.text.word_frequency import bare_word, unigram_nats

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FILE = Path(str(files("scandl.text").joinpath("word_pairs.npz")))
_TENTHS, _HUNDREDTHS = 10.0, 100.0  # of a nat: what pairs and single words are rounded to
_UNKNOWN = -1  # the place of a word that is not in the table


@dataclass(frozen=True, eq=False)
class WordPairs:
    """Words, pairs of them, and −ln p of both; in nats."""

    words: tuple[str, ...]
    alone: Floats  # −ln p(word), of each word
    backoff: Floats  # of each first word: what is added to ln p(second) for a pair that is not listed
    firsts: Ints  # of each pair, in ascending order
    seconds: Ints  # of each pair, in ascending order for one first word
    given: Floats  # −ln p(second | first), of each pair

    @classmethod
    def read(cls, path: Path | str) -> Self:
        """Return the table in a file."""
        with np.load(path, allow_pickle=False) as held:
            return cls(
                tuple(held["words"].tobytes().decode().split("\n")),
                held["alone"] / _HUNDREDTHS,
                held["backoff"] / _HUNDREDTHS,
                np.repeat(np.arange(len(held["n_seconds"])), held["n_seconds"]),
                held["seconds"].astype(np.int64),
                held["given"] / _TENTHS,
            )

    def write(self, path: Path | str) -> None:
        """Write the table, small: its numbers are rounded."""
        np.savez_compressed(
            path,
            words=np.frombuffer("\n".join(self.words).encode(), dtype=np.uint8),
            alone=np.rint(self.alone * _HUNDREDTHS).astype(np.int16),
            backoff=np.rint(self.backoff * _HUNDREDTHS).astype(np.int16),
            n_seconds=np.bincount(self.firsts, minlength=len(self.words)).astype(np.uint16),
            seconds=self.seconds.astype(np.uint16),
            given=np.minimum(np.rint(self.given * _TENTHS), 255).astype(np.uint8),
        )

    def nats(self, words: Sequence[str]) -> Floats:
        """Return −ln p(word | word before) of each word of a text; NaN for punctuation alone.

        Punctuation and case do not count. A word that is not in the table surprises by its frequency, and
        what follows it is taken as if nothing stood before.
        """
        forms = [bare_word(word).lower() for word in words]
        counted = np.flatnonzero([form != "" for form in forms])
        places = np.array([self._places.get(forms[k], _UNKNOWN) for k in counted], dtype=np.int64)
        known = places != _UNKNOWN
        at, after = places[known], np.concatenate([[self._places[START]], places])[:-1][known]
        codes = after * len(self.words) + at
        near = np.minimum(np.searchsorted(self._codes, codes), len(self._codes) - 1)
        listed = (self._codes[near] == codes) & (after != _UNKNOWN)
        unlisted = self.alone[at] - np.where(after == _UNKNOWN, 0.0, self.backoff[after])
        found = np.full(len(words), np.nan)
        found[counted[known]] = np.where(listed, self.given[near], unlisted)
        found[counted[~known]] = [unigram_nats(words[k]) for k in counted[~known]]
        return found

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {word: i for i, word in enumerate(self.words)}

    @cached_property
    def _codes(self) -> Ints:
        """One ascending number for each pair."""
        return self.firsts * len(self.words) + self.seconds


@lru_cache(maxsize=1)
def english() -> WordPairs:
    """Return the table that is shipped."""
    return WordPairs.read(FILE)

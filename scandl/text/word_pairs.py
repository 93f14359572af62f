"""How much a word surprises after the word before it, by a table of English word pairs that is shipped.

The pairs come from the English language model of CMU Sphinx (BSD), which pocketsphinx brings. So a model that
uses context needs no language model to be installed. ``python -m scandl.text.word_pairs`` makes the table in
about six minutes on one core. It asks the language model for every pair of its most frequent words and keeps
those that tell most (Stolcke 1998): p(pair) times by how much the logarithm of its probability differs from
what the second word has anyway.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from scandl.extras import need
from scandl.text.word_facts import bare_word, unigram_nats

STEP = math.log(1.0001)  # the model counts log-probability in whole steps of this size
UNKNOWN = -(2**29)  # what it answers for a word that is not in its vocabulary
START, END = "<s>", "</s>"
MODEL = Path("model", "en-us", "en-us.lm.bin")  # in the package pocketsphinx
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
FILE = Path(str(files("scandl.text").joinpath("word_pairs.npz")))
_TENTHS, _HUNDREDTHS = 10.0, 100.0  # of a nat: what pairs and single words are rounded to
_UNKNOWN = -1  # the place of a word that is not in the table
_SAME = 500  # steps, a twentieth of a nat: below it two probabilities are the same in the table


def model_file() -> Path:
    """Return the file of the language model."""
    return Path(str(need("pocketsphinx", "trigram").__file__)).parent / MODEL


def open_model() -> Any:
    """Return the language model; ``prob`` takes a word and the words before it, the newest first."""
    return need("pocketsphinx", "trigram").NGramModel.readfile(str(model_file()))


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


def make(out: Path | str = FILE, *, n_words: int = 20_000, n_pairs: int = 400_000) -> WordPairs:
    """Write the table of the pairs that tell most, and return it."""
    model = open_model()
    words = _most_frequent(model, model_file().with_name("cmudict-en-us.dict"), n_words)
    alone = np.array([model.prob([word]) for word in words])
    backoff = np.zeros(len(words))
    parts = []
    for i, first in enumerate(words):
        given = np.array([model.prob([second, first]) for second in words])
        more = given - alone
        # Pairs the model does not list have what the second word has, and the same for all, but for rounding.
        sizes, n_of_size = np.unique(more, return_counts=True)
        backoff[i] = sizes[n_of_size.argmax()]
        # No word is followed by the start, which stands first and begins as many texts as the end ends.
        seconds = 1 + np.flatnonzero(np.abs(more[1:] - backoff[i]) > _SAME)
        frequency = model.prob([END]) if first == START else alone[i]
        told = np.exp(STEP * (frequency + given[seconds])) * np.abs(more[seconds] - backoff[i])
        parts.append((np.full(len(seconds), i), seconds, given[seconds], told))
    firsts, seconds, given, told = (np.concatenate(part) for part in zip(*parts, strict=True))
    kept = np.sort(np.lexsort((np.arange(len(told)), -told))[:n_pairs])
    table = WordPairs(
        tuple(words), -STEP * alone, STEP * backoff, firsts[kept], seconds[kept], -STEP * given[kept]
    )
    table.write(out)
    return WordPairs.read(out)


def _most_frequent(model: Any, dictionary: Path, n: int) -> list[str]:
    """Return the start of a text and the words the model gives the highest probability, in that order."""
    known = {word: model.prob([word]) for word in _forms(dictionary)}
    ranked = sorted((word for word, steps in known.items() if steps > UNKNOWN), key=lambda w: (-known[w], w))
    return [START, *ranked[: n - 1]]


def _forms(dictionary: Path) -> Iterator[str]:
    """Return the words of a pronouncing dictionary; other pronunciations of one have a number behind."""
    for line in dictionary.read_text(encoding="utf-8").splitlines():
        yield line.partition(" ")[0].partition("(")[0]


def main(argv: Sequence[str] | None = None) -> None:
    """Make the table that is shipped."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, default=FILE)
    made = make(parser.parse_args(argv).out)
    print(f"{len(made.words):,} words, {len(made.seconds):,} pairs")


if __name__ == "__main__":
    main()

"""Make the table of English word pairs from the language model that pocketsphinx brings.

``python -m scandl.text.make_word_pairs`` asks the model for every pair of its most frequent words and keeps
those that tell most (Stolcke 1998): p(pair) times by how much the logarithm of its probability differs from
what the second word has anyway. It takes about six minutes on one core.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from scandl.text.trigrams import END, START, STEP, UNKNOWN, model_file, open_model
from scandl.text.word_pairs import FILE, WordPairs

_SAME = 500  # steps, a twentieth of a nat: below it two probabilities are the same in the table


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

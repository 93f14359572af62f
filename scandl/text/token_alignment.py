"""From tokens to words: by character positions, and corrected for the beginnings of words.

A tokenizer that puts the space at the beginning of a word leaves the end of the word open: the naive value
of "cat" is that of every word that begins with "cat". Adding the surprisal of a word boundary after the
word, and taking off the one before it, gives a distribution over words (Pimentel & Meister, 2024; Oh &
Schuler, 2024):

    s(w) = s0(w) − B(before w) + B(after w),   B(h) = −ln Σ p(v | h), v begins a word or ends the text
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scandl.errors import ScandlError
from scandl.extras import Registry

Span = tuple[int, int]
"""First character and the one after the last."""

Sums = Callable[[npt.NDArray[np.float64], Sequence[int], int], npt.NDArray[np.float64]]
ALIGNMENTS: Registry[Sums] = Registry("alignment")
_SPACES = ("Ġ", "▁", "Ċ", "ĉ", "č", " ", "\n", "\t", "\r")
"""How white space looks at the beginning of a token: byte-level alphabets, SentencePiece, plain."""


def single_spaced(text: str) -> str:
    """Return the exact string that is tokenised: the words with one space between them.

    >>> single_spaced(" A  dog")
    'A dog'
    """
    return " ".join(text.split())


def word_spans(text: str) -> list[Span]:
    """Return the characters of each word of a single-spaced text.

    >>> word_spans("A dog sat.")
    [(0, 1), (2, 5), (6, 10)]
    """
    spans = []
    start = 0
    for word in text.split(" "):
        spans.append((start, start + len(word)))
        start += len(word) + 1
    return spans


def owners(text: str, tokens: Sequence[Span]) -> list[int]:
    """Return the word each token belongs to: the one that holds its last non-space character.

    Two tokens may share a character, as the bytes of an emoji do. A token of space alone, or
    without characters, belongs to the word that follows.

    >>> owners("A dog's", [(0, 1), (1, 5), (5, 7)])
    [0, 1, 1]
    """
    ends = np.array([end for _, end in word_spans(text)])
    last = [_last_character(text, *span) for span in tokens]
    owner = [int(word) for word in np.searchsorted(ends, last, side="right")]
    missing = sorted(set(range(len(ends))) - set(owner))
    if missing:
        word = text.split(" ")[missing[0]]
        raise ScandlError(f"the tokenizer gives no token to {word!r} in {text!r}: its words cannot be told")
    return owner


@ALIGNMENTS.register("offsets")
def sum_by_word(
    values: npt.NDArray[np.float64], owner: Sequence[int], n_words: int
) -> npt.NDArray[np.float64]:
    """Sum the token values of each word.

    >>> sum_by_word(np.array([5.0, 1, 7, 3]), [0, 0, 1, 2], 3)
    array([6., 7., 3.])
    """
    return np.asarray(np.bincount(owner, weights=values, minlength=n_words), dtype=np.float64)


@ALIGNMENTS.register("scandl-v1")
def released_sum(
    values: npt.NDArray[np.float64], owner: Sequence[int], n_words: int
) -> npt.NDArray[np.float64]:
    """Sum as the first release of ScanDL did, with its slip, for comparison with published effects.

    A word of exactly one token gets the value at the index of the *word* among the tokens, not
    of its token: behind the first word of several tokens these are an earlier token's values.

    >>> released_sum(np.array([5.0, 1, 7, 3]), [0, 0, 1, 2], 3)
    array([6., 1., 7.])
    """
    sums = sum_by_word(values, owner, n_words)
    single = np.bincount(owner, minlength=n_words) == 1
    sums[single] = values[:n_words][single]
    return sums


def _last_character(text: str, start: int, end: int) -> int:
    for position in range(end - 1, start - 1, -1):
        if not text[position].isspace():
            return position
    return next((p for p in range(end, len(text)) if not text[p].isspace()), len(text) - 1)


@dataclass(frozen=True, slots=True)
class WordBeginnings:
    """The tokens that begin a word, and those that can begin a text; each with the end of text."""

    word: tuple[int, ...]
    text: tuple[int, ...]


def boundaries(vocabulary: Mapping[str, int], end_of_text: int, special: Iterable[int]) -> WordBeginnings:
    """Sort a vocabulary by the space marker.

    >>> boundaries({"cat": 0, "Ġcat": 1, "s": 2, "<end>": 3}, end_of_text=3, special=[3])
    WordBeginnings(word=(1, 3), text=(0, 2, 3))
    """
    ordinary = {token: n for token, n in vocabulary.items() if n not in set(special)}
    word = {n for token, n in ordinary.items() if token.startswith(_SPACES)}
    if not word:
        raise ScandlError("this tokenizer marks no beginnings of words, so they cannot be corrected for")
    return WordBeginnings(
        tuple(sorted(word | {end_of_text})),
        tuple(sorted((set(ordinary.values()) - word) | {end_of_text})),
    )


def corrected(
    naive: npt.NDArray[np.float64],
    owner: Sequence[int],
    at_boundary: npt.NDArray[np.float64],
    at_text_start: float,
) -> npt.NDArray[np.float64]:
    """Return corrected values per word.

    ``at_boundary[i]`` is B after token i; ``at_text_start`` is the same before the first word,
    for tokens that begin a text without a space.

    >>> corrected(np.array([3.0, 4.0]), [0, 0, 1], np.array([9.0, 0.5, 0.25]), 1.0)
    array([2.5 , 3.75])
    """
    last = np.searchsorted(owner, np.arange(len(naive)), side="right") - 1  # the last token of each word
    after = at_boundary[last]
    before = np.concatenate([[at_text_start], after[:-1]])
    return np.asarray(naive - before + after, dtype=np.float64)

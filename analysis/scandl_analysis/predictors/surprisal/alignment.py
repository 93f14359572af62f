"""From tokens to words: by character positions, never by comparing strings or counting."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from scandl.errors import ScandlError
from scandl.registry import Registry

Span = tuple[int, int]
"""First character and the one after the last."""

Sums = Callable[[npt.NDArray[np.float64], Sequence[int], int], npt.NDArray[np.float64]]
ALIGNMENTS: Registry[Sums] = Registry("alignment")


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
    found = [int(word) for word in np.searchsorted(ends, last, side="right")]
    missing = sorted(set(range(len(ends))) - set(found))
    if missing:
        word = text.split(" ")[missing[0]]
        raise ScandlError(f"the tokenizer gives no token to {word!r} in {text!r}: its words cannot be told")
    return found


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

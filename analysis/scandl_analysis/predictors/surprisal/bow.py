"""The beginning-of-word correction (Pimentel & Meister, 2024; Oh & Schuler, 2024).

A tokenizer that puts the space at the beginning of a word leaves the end of the word open: the
naive value of "cat" is that of every word that begins with "cat". Adding the surprisal of a word
boundary after the word, and taking off the one before it, gives a distribution over words:

    s(w) = s0(w) − B(before w) + B(after w),   B(h) = −ln Σ p(v | h), v begins a word or ends the text
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scandl.errors import ScandlError

_SPACES = ("Ġ", "▁", "Ċ", "ĉ", "č", " ", "\n", "\t", "\r")
"""How white space looks at the beginning of a token: byte-level alphabets, SentencePiece, plain."""


@dataclass(frozen=True, slots=True)
class Boundaries:
    """The tokens that begin a word, and those that can begin a text; each with the end of text."""

    word: tuple[int, ...]
    text: tuple[int, ...]


def boundaries(vocabulary: Mapping[str, int], end_of_text: int, special: Iterable[int]) -> Boundaries:
    """Sort a vocabulary by the space marker.

    >>> boundaries({"cat": 0, "Ġcat": 1, "s": 2, "<end>": 3}, end_of_text=3, special=[3])
    Boundaries(word=(1, 3), text=(0, 2, 3))
    """
    ordinary = {token: n for token, n in vocabulary.items() if n not in set(special)}
    word = {n for token, n in ordinary.items() if token.startswith(_SPACES)}
    if not word:
        raise ScandlError("this tokenizer marks no beginnings of words, so they cannot be corrected for")
    return Boundaries(
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

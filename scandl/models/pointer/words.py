"""What the network is told of each word: facts that a word it has never seen has too.

Places are distances from the first and from the last word that fade out, so that the middle of a
long text looks like the middle of any other and nothing depends on how long texts were in training.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scandl.text.characters import ends_clause, ends_sentence, is_word_sign, n_characters
from scandl.text.encoder import Lexical
from scandl.text.word_pairs import english

Array = NDArray[np.float32]

IDENTITY = "pointer-words/1"  # recorded in checkpoints, compared when they meet
FADING = (1.0, 3.0, 8.0)  # words within which a distance fades to 1/e
_LEXICAL = Lexical()
_FACTS = 6  # the last columns of a lexical vector: length, frequency, capital, punctuation, digits, letters
_SPELLING = _LEXICAL.dim - _FACTS - 2  # the first ones; between them stand CLS and SEP
_TYPICAL_NATS, _SD_NATS = 6.0, 3.0  # of the surprisal of words in prose, about
LONG = 12  # characters from which words count as equally long in the list of lengths


def n_word_features(*, spelling: bool = False, context: bool = False) -> int:
    """Return the number of columns of ``word_features``."""
    return word_features(("a",), spelling=spelling, context=context).shape[1]


def word_features(
    words: Sequence[str], language: str = "en", *, spelling: bool = False, context: bool = False
) -> Array:
    """Return one row per word: its facts, its length once more as a class, and its place.

    With ``context`` they say how much the word surprises after the one before.

    >>> word_features(("The", "cat", "sat.")).shape
    (3, 28)
    """
    lexical = _LEXICAL.encode(words, language).vectors[1:-1]  # (M, 64), without CLS and SEP
    lengths = np.minimum([n_characters(word) for word in words], LONG)
    parts = [lexical[:, -_FACTS:], np.eye(LONG, dtype=np.float32)[lengths - 1], _marks(words)]
    if spelling:
        parts.append(lexical[:, :_SPELLING])
    if context:
        nats = english().nats(words) if language == "en" else np.full(len(words), np.nan)
        parts.append(np.nan_to_num((nats[:, None] - _TYPICAL_NATS) / _SD_NATS))
    return np.concatenate([*parts, edges(np.arange(len(words)), len(words))], axis=1).astype(np.float32)


def _marks(words: Sequence[str]) -> Array:
    """Return whether a word ends a clause, ends a sentence, begins with or holds a mark, (M, 4).

    >>> _marks(("Well,", "(so", "it's", 'over."')).tolist()
    [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0]]
    """
    rows = []
    for word in words:
        inner = word.strip("\"'“”‘’()[]«»,.;:!?…")
        rows.append(
            (
                ends_clause(word),
                ends_sentence(word),
                not is_word_sign(word[0]),
                not all(map(is_word_sign, inner)),
            )
        )
    return np.array(rows, dtype=np.float32)


def edges(at: NDArray[np.int64], n_words: int | NDArray[np.int64]) -> Array:
    """Return how near places are to the first and the last word, 1 on it, fading to 0; (…, 6).

    >>> edges(np.array([0, 30]), 31).astype(float).round(2).tolist()
    [[1.0, 1.0, 1.0, 0.0, 0.0, 0.02], [0.0, 0.0, 0.02, 1.0, 1.0, 1.0]]
    """
    start, end = np.maximum(at, 0), np.maximum(np.asarray(n_words) - 1 - at, 0)
    near = [np.exp(-distance / scale) for distance in (start, end) for scale in FADING]
    return np.stack(near, axis=-1).astype(np.float32)

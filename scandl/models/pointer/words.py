"""What the network is told of each word: facts that a word it has never seen has too.

Places are distances from the first and from the last word that fade out, so that the middle of a
long text looks like the middle of any other and nothing depends on how long texts were in training.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scandl.text.characters import ends_clause, ends_sentence, is_word_sign
from scandl.text.encoder import Lexical

if TYPE_CHECKING:
    from scandl.text.context import WordContext

Array = NDArray[np.float32]

IDENTITY = "pointer-words/2"  # recorded in checkpoints, compared when they meet
FADING = (1.0, 3.0, 8.0)  # words within which a distance fades to 1/e
_LEXICAL = Lexical()
_FACTS = 6  # the last columns of a lexical vector: length, frequency, capital, punctuation, digits, letters
_TYPICAL_LENGTH, _SD_LENGTH = 5.0, 2.5  # by which a lexical vector has the length of a word
_TYPICAL_NATS, _SD_NATS = 4.0, 3.0  # of surprisal and entropy in prose, about
_CLASSES = np.array(
    [*range(2, 13), 13, 15, 18]
)  # the fewest characters of each class of lengths but the first
_CONTEXT = _FACTS + len(_CLASSES) + 1 + 4  # the first of its columns
SURPRISAL, ENTROPY = _CONTEXT + 1, _CONTEXT + 2
KNOWN_CONTEXT = slice(_CONTEXT, _CONTEXT + 3)
LINES_KNOWN, LINE_STARTS = _CONTEXT + 3, _CONTEXT + 4
BLUR = np.ones(_CONTEXT + 6 + 2 * len(FADING), dtype=np.float32)
"""How much of the noise of training is on each column: context is known better, and lines are not blurred."""
BLUR[KNOWN_CONTEXT], BLUR[LINES_KNOWN : LINES_KNOWN + 3] = 0.4, 0.0
OF_TEXT = [0, 1, *range(_CONTEXT, _CONTEXT + 4)]
"""The columns whose means tell how long a text will be looked at: length, frequency, context, lines."""


def n_word_features() -> int:
    """Return the number of columns of ``word_features``."""
    return word_features(("a",)).shape[1]


def word_features(
    words: Sequence[str],
    language: str = "en",
    *,
    context: WordContext | None = None,
    lines: Sequence[str] | None = None,
    gain: float = 1.0,
) -> Array:
    """Return one row per word: its facts, its length once more as a class, context, lines, and its place.

    Parameters
    ----------
    words
        The words of a text.
    language
        Of the text, for word frequencies.
    context
        How much each word surprises, where that is known.
    lines
        The name or number of the line that each word is on, where the text has several.
    gain
        What deviations of surprisal are multiplied by.

    Returns
    -------
    array
        (M, F).

    Examples
    --------
    >>> word_features(("The", "cat", "sat.")).shape
    (3, 37)
    """
    lexical = _LEXICAL.encode(words, language).vectors[1:-1, -_FACTS:]  # (M, 6), without CLS and SEP
    lengths = np.searchsorted(_CLASSES, lexical[:, 0] * _SD_LENGTH + _TYPICAL_LENGTH + 0.5, side="right")
    parts = [
        lexical,
        np.eye(len(_CLASSES) + 1, dtype=np.float32)[lengths],
        _marks(words),
        _context(len(words), context, gain),
        _lines(len(words), lines),
        edges(np.arange(len(words)), len(words)),
    ]
    return np.concatenate(parts, axis=1).astype(np.float32)


def _context(n_words: int, context: WordContext | None, gain: float) -> Array:
    """Return whether the context is known, surprisal and entropy of each word, (M, 3); zeros where not."""
    found = np.zeros((n_words, 3), dtype=np.float32)
    if context is not None:
        known = np.asarray(context.known, dtype=bool)
        found[known, 0] = 1.0
        found[known, 1] = gain * (context.surprisal[known] - _TYPICAL_NATS) / _SD_NATS
        found[known, 2] = np.nan_to_num((context.entropy[known] - _TYPICAL_NATS) / _SD_NATS)
    return found


def _lines(n_words: int, lines: Sequence[str] | None) -> Array:
    """Return whether lines are known, and whether a word begins or ends one, (M, 3).

    >>> _lines(4, ["1", "1", "2", "2"]).tolist()
    [[1.0, 1.0, 0.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0], [1.0, 0.0, 1.0]]
    """
    found = np.zeros((n_words, 3), dtype=np.float32)
    if lines is not None:
        new = np.array([True, *(a != b for a, b in pairwise(lines))])
        found[:, 0], found[:, 1], found[:, 2] = 1.0, new, np.append(new[1:], True)
    return found


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

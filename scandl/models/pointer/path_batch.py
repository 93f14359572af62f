"""Texts and paths of a batch as arrays, padded to one width, and what is known of each word of a text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from scandl.text.encoder import Lexical
from scandl.text.word_facts import ends_clause, ends_sentence, is_word_sign

if TYPE_CHECKING:
    from scandl.text.context import WordContext

Array: TypeAlias = NDArray[np.float64]
Floats: TypeAlias = NDArray[np.float32]
Ints: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]
Watch: TypeAlias = Callable[[Ints, Flags, Array, Array], None]
"""Called after a step of a diffusion: words (B, T), whether they stay, logits (B, T, M), states (B, T, d)."""


IDENTITY = "pointer-words/2"  # recorded in checkpoints, compared when they meet
FADING = (1.0, 3.0, 8.0)  # words within which a distance fades to 1/e
_LEXICAL = Lexical()
_FACTS = 6  # the last columns of a lexical vector: length, frequency, capital, punctuation, digits, letters
_FREQUENCY, _OF_MARKS = 1, 3.0  # a mark by itself is as frequent as a word can be: Zipf 8
_TYPICAL_LENGTH, _SD_LENGTH = 5.0, 2.5  # by which a lexical vector has the length of a word
_TYPICAL_NATS, _SD_NATS = 4.0, 3.0  # of surprisal and entropy in prose, about
_CLASSES = np.array(
    [*range(2, 13), 13, 15, 18]
)  # the fewest characters of each class of lengths but the first
_AROUND_A_WORD = "\"'“”‘’()[]«»,.;:!?…"  # marks that do not count as within it
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
) -> Floats:
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
    lexical = _LEXICAL.encode(words, language).vectors[1:-1, -_FACTS:].copy()  # (M, 6), no CLS, no SEP
    marks = [not any(map(is_word_sign, word)) for word in words]
    lexical[marks, _FREQUENCY] = _OF_MARKS
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


def _context(n_words: int, context: WordContext | None, gain: float) -> Floats:
    """Return whether the context is known, surprisal and entropy of each word, (M, 3); zeros where not."""
    found = np.zeros((n_words, 3), dtype=np.float32)
    if context is not None:
        known = np.asarray(context.known, dtype=bool)
        found[known, 0] = 1.0
        found[known, 1] = gain * (context.surprisal[known] - _TYPICAL_NATS) / _SD_NATS
        found[known, 2] = np.nan_to_num((context.entropy[known] - _TYPICAL_NATS) / _SD_NATS)
    return found


def _lines(n_words: int, lines: Sequence[str] | None) -> Floats:
    """Return whether lines are known, and whether a word begins or ends one, (M, 3).

    >>> _lines(4, ["1", "1", "2", "2"]).tolist()
    [[1.0, 1.0, 0.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0], [1.0, 0.0, 1.0]]
    """
    found = np.zeros((n_words, 3), dtype=np.float32)
    if lines is not None:
        new = np.array([True, *(a != b for a, b in pairwise(lines))])
        found[:, 0], found[:, 1], found[:, 2] = 1.0, new, np.append(new[1:], True)
    return found


def _marks(words: Sequence[str]) -> Floats:
    """Return whether a word ends a clause, ends a sentence, begins with or holds a mark, (M, 4).

    >>> _marks(("Well,", "(so", "it's", 'over."')).tolist()
    [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0]]
    """
    rows = []
    for word in words:
        inner = word.strip(_AROUND_A_WORD)
        rows.append(
            (
                ends_clause(word),
                ends_sentence(word),
                not is_word_sign(word[0]),
                not all(map(is_word_sign, inner)),
            )
        )
    return np.array(rows, dtype=np.float32)


def edges(at: NDArray[np.int64], n_words: int | NDArray[np.int64]) -> Floats:
    """Return how near places are to the first and the last word, 1 on it, fading to 0; (…, 6).

    >>> edges(np.array([0, 30]), 31).astype(float).round(2).tolist()
    [[1.0, 1.0, 1.0, 0.0, 0.0, 0.02], [0.0, 0.0, 0.02, 1.0, 1.0, 1.0]]
    """
    start, end = np.maximum(at, 0), np.maximum(np.asarray(n_words) - 1 - at, 0)
    near = [np.exp(-distance / scale) for distance in (start, end) for scale in FADING]
    return np.stack(near, axis=-1).astype(np.float32)


SACCADES = 6  # longer saccades count as this long among the scalars
_MOST_PER_WORD = 3  # fixations: longer paths are not drawn


@dataclass(frozen=True, slots=True)
class TextBatch:
    """What is given of B paths: the distinct texts they read, and who reads."""

    features: Floats  # (S, M, F) word features, zeros on padding
    inside: Flags  # (S, M) False on padding
    row: Ints  # (B,) the text of each path
    conditions: Floats  # (B, C)

    @classmethod
    def of(cls, texts: Sequence[Floats], conditions: Floats) -> Self:
        """Return the batch of one text per path; the same array object is the same text."""
        distinct = {id(text): text for text in texts}
        number = {key: n for n, key in enumerate(distinct)}
        widest = max(map(len, texts))
        features = np.zeros((len(distinct), widest, texts[0].shape[1]), dtype=np.float32)
        inside = np.zeros((len(distinct), widest), dtype=bool)
        for n, text in enumerate(distinct.values()):
            features[n, : len(text)], inside[n, : len(text)] = text, True
        return cls(features, inside, np.array([number[id(text)] for text in texts]), conditions)

    @property
    def n_columns(self) -> int:
        """The number of words of the longest text."""
        return self.features.shape[1]

    @property
    def n_words(self) -> Ints:
        """The number of words of each path's text, (B,)."""
        return self.inside.sum(axis=1)[self.row]

    @property
    def lines(self) -> Ints:
        """The line that each word of each distinct text is on, (S, M); 0 for all where that is not known."""
        return self.features[..., LINE_STARTS].cumsum(axis=1).astype(np.int64)

    @property
    def lined(self) -> Ints:
        """Whether the lines of each distinct text are known, (S,), 0 or 1."""
        return self.features[:, 0, LINES_KNOWN].astype(np.int64)

    def only(self, chosen: Ints) -> TextBatch:
        """Return the batch of some of its paths."""
        return replace(self, row=self.row[chosen], conditions=self.conditions[chosen])


def one_hot_saccade(size: Ints) -> Floats:
    """Return the saccade as one of 13 classes.

    >>> one_hot_saccade(np.array([-9, 1])).argmax(-1).tolist()
    [0, 7]
    """
    return np.eye(2 * SACCADES + 1, dtype=np.float32)[np.clip(size, -SACCADES, SACCADES) + SACCADES]


def padded(paths: Sequence[Sequence[int]]) -> tuple[Ints, Ints]:
    """Return paths as one array (B, T), the shorter ones filled up with word 0, and their lengths."""
    lengths = np.array([len(path) for path in paths], dtype=np.int64)
    words = np.zeros((len(paths), int(lengths.max())), dtype=np.int64)
    for row, path in zip(words, paths, strict=True):
        row[: len(path)] = path
    return words, lengths


def within(n_fixations: Ints, n_places: int) -> Flags:
    """Return which places belong to a path, (B, T)."""
    return np.arange(n_places) < n_fixations[:, None]


def longest(n_words: int) -> int:
    """Return the largest number of fixations that is drawn."""
    return _MOST_PER_WORD * n_words


def draw(logits: Array, u: Array) -> Ints:
    """Return the outcome that each uniform number stands for, (n, outcomes) and (n,).

    >>> draw(np.log([[0.25, 0.25, 0.5]]), np.array([0.4]))
    array([1])
    """
    return (softmax(logits, axis=1).cumsum(axis=1)[:, :-1] <= u[:, None]).sum(axis=1)

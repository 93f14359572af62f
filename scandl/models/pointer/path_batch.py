"""Texts and paths of a batch as arrays, padded to one width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from scandl.models.pointer.words import LINE_STARTS, LINES_KNOWN

Array: TypeAlias = NDArray[np.float64]
Floats: TypeAlias = NDArray[np.float32]
Ints: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]

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

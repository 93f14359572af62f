"""Texts, paths and places of a batch as arrays, padded to one width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

Array: TypeAlias = NDArray[np.float64]
Floats: TypeAlias = NDArray[np.float32]
Ints: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]

WINDOW = np.arange(-2, 4)  # the words around a place that are looked at directly
N_REFERENCES = 3
MOST_VISITS = 3  # more visits to a word count as this many
SACCADES = 6  # longer saccades count as this long among the scalars


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

    def only(self, chosen: Ints) -> TextBatch:
        """Return the batch of some of its paths."""
        return replace(self, row=self.row[chosen], conditions=self.conditions[chosen])


@dataclass(frozen=True, slots=True)
class States:
    """What the network is told at places of a batch of paths: B paths, T places, M words (padded).

    Every number is relative: to the last fixation, the furthest word, the edges of the text, or a share
    of it. A state therefore looks the same in a text of any length.
    """

    references: Ints  # (B, T, 3) words that others are addressed relative to; -1 and M are the edges
    counts: Ints  # (B, T, M) how often each word is known to be fixated
    anchor: Ints  # (B, T) the word whose neighbours are looked at
    scalars: Floats  # (B, T, S)

    @property
    def window(self) -> Ints:
        """The words around each anchor, (B, T, 6); those outside the text are M, the padded width."""
        n_columns = self.counts.shape[2]
        near = self.anchor[..., None] + WINDOW
        return np.where((near < 0) | (near >= n_columns), n_columns, near)

    def tokens(self) -> Floats:
        """Return the scalars, and the visits to the words around each anchor, (B, T, S + 6)."""
        padded = np.concatenate([self.counts, np.zeros_like(self.counts[..., :1])], axis=2)
        visits = np.take_along_axis(padded, self.window, axis=2) / MOST_VISITS
        return np.concatenate([self.scalars, visits.astype(np.float32)], axis=2)


def joined(places: Sequence[States]) -> States:
    """Put places of the same paths behind each other in time."""
    return States(
        np.concatenate([part.references for part in places], axis=1),
        np.concatenate([part.counts for part in places], axis=1),
        np.concatenate([part.anchor for part in places], axis=1),
        np.concatenate([part.scalars for part in places], axis=1),
    )


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
    """Return a number of fixations that hardly any path exceeds; longer ones are not drawn."""
    return 8 * n_words + 32


def draw(logits: Array, u: Array) -> Ints:
    """Return the outcome that each uniform number stands for, (n, outcomes) and (n,).

    >>> draw(np.log([[0.25, 0.25, 0.5]]), np.array([0.4]))
    array([1])
    """
    return (softmax(logits, axis=1).cumsum(axis=1)[:, :-1] <= u[:, None]).sum(axis=1)

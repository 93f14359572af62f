"""Texts and conditions of a batch, padded to one width; a text that occurs twice is read once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from scandl.models.pointer.runners.runner import Flags, Floats, Ints, ReadText, Runner


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

    def read(self, runner: Runner) -> ReadText:
        """Let a network read the texts, and return one per path."""
        return runner.read(self.features, self.inside).of(self.row)

    def only(self, chosen: Ints) -> TextBatch:
        """Return the batch of some of its paths."""
        return replace(self, row=self.row[chosen], conditions=self.conditions[chosen])


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

"""What the network is told at each place of a path: words it can refer to, counts, and scalars.

Every number is relative: to the last fixation, the furthest word, the edges of the text, or a share
of it. A state therefore looks the same in a text of any length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]

WINDOW = np.arange(-2, 4)  # the words around a place that are looked at directly
N_REFERENCES = 3
MOST_VISITS = 3  # more visits to a word count as this many
SACCADES = 6  # longer saccades count as this long among the scalars


@dataclass(frozen=True, slots=True)
class States:
    """Places of a batch of paths: B paths, T places, M words (padded)."""

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

"""What a sampler asks of a network, whatever runs it: arrays in, arrays out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from scandl.models.pointer.states import States

Floats: TypeAlias = NDArray[np.float32]
Ints: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]
Past: TypeAlias = list[tuple[Any, Any]]
"""Keys and values of each layer, (B, heads, P, width / heads)."""


@dataclass(frozen=True, slots=True)
class ReadText:
    """Texts as a network has read them, arrays or tensors: S texts, M words (padded)."""

    near: Any  # (S, M + 1, n) what is seen of a word next to the eyes; the last row is no word
    keys: Any  # (S, M, width) what is pointed at
    by_distance: Any  # (S, M, references · bins) how a word attracts from each distance
    inside: Any  # (S, M) boolean, False on padding
    gist: Any  # (S, width) the mean over words

    def of(self, row: Any) -> ReadText:
        """Return the texts of a batch, by their numbers."""
        return ReadText(
            self.near[row], self.keys[row], self.by_distance[row], self.inside[row], self.gist[row]
        )


class Runner(Protocol):
    """A trained network at work."""

    def read(self, features: Floats, inside: Flags) -> ReadText:
        """Read texts: features (S, M, F), ``inside`` (S, M) False on padding."""
        ...

    def places(
        self, tokens: Floats, condition: Floats, visible: Flags, past: Past | None = None
    ) -> tuple[Floats, Past]:
        """Return what is known at each place, (B, T, width), and keys and values for later places.

        ``tokens`` (B, T, n) are the numbers of the states and what is seen around them; ``visible``
        (B or 1, T or 1, P + T) says which places each place may attend to.
        """
        ...

    def point(self, text: ReadText, x: Floats, references: Ints, counts: Ints) -> Floats:
        """Return the logits of the words and of the end at each place, (B, T, M + 1)."""
        ...

    def lengths(self, gist: Floats, condition: Floats) -> Floats:
        """Return the parameters of the distribution of fixations per word, (B, n)."""
        ...

    def durations(self, features: Floats) -> Floats:
        """Return the parameters of the distribution of each duration, (n, 6)."""
        ...


def tokens(text: ReadText, states: States) -> Floats:
    """Return what a network is told at each place: the numbers of the state, and the words around it."""
    return np.concatenate([states.tokens(), seen_around(text.near, states.window)], axis=2)


def seen_around(near: Any, window: Any) -> Any:
    """Return what is seen of the words around each place, (B, T, 6 · n); arrays or tensors."""
    batch, n_places, size = window.shape
    row = np.arange(batch)[:, None, None]
    return near[row, window].reshape(batch, n_places, size * near.shape[2])

"""The network: a text is read once, and each place of a path points at one of its words.

It is written once, as functions of its weights. It learns on torch tensors (``objective``) and reads on
NumPy arrays, in double precision: a path then does not depend on the other paths of its batch.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self, TypeAlias

import numpy as np

from scandl.models.arithmetic import Arithmetic, NumpyArithmetic
from scandl.models.pointer.path_batch import Array, Flags, Ints, States, TextBatch

FAR = 8  # words, or fixations, up to which each distance has a parameter of its own
N_BINS = 2 * FAR + 3
NEAR_WIDTH = 24  # of what is seen of each word around a place

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


class PointerNetwork:
    """Word encoder, path decoder, pointer head, and the heads of lengths and durations."""

    def __init__(self, heads: int, weights: Mapping[str, Any], arithmetic: Arithmetic | None = None) -> None:
        self.heads = heads
        self.weights = weights
        self.arithmetic = arithmetic or NumpyArithmetic()
        self._lib: Any = self.arithmetic.library

    @classmethod
    def of(cls, heads: int, weights: Mapping[str, Any]) -> Self:
        """Return the network of trained weights, which reads in double precision."""
        return cls(heads, {name: np.asarray(value, dtype=np.float64) for name, value in weights.items()})

    def read(self, features: Any, inside: Any) -> ReadText:
        """Read texts: features (S, M, F), ``inside`` (S, M) False on padding."""
        x = self._linear("words", features)
        for block in self._layers("word_blocks"):
            x, _ = self._block(block, x, inside[:, None])
        x = self._norm("word_norm", x)
        kept = inside[..., None]
        near = self._linear("near", x) * kept
        near = self._lib.concatenate([near, self._lib.zeros_like(near[:, :1])], axis=1)
        gist = (x * kept).sum(1) / kept.sum(1)
        return ReadText(near, self._linear("keys", x), self._linear("by_distance", x), inside, gist)

    def read_batch(self, batch: TextBatch) -> ReadText:
        """Read the texts of a batch, and return one per path."""
        return self.read(batch.features, batch.inside).of(batch.row)

    def places(
        self, tokens: Any, condition: Any, visible: Any = None, past: Past | None = None
    ) -> tuple[Any, Past]:
        """Return what is known at each place, (B, T, width), and keys and values for later places.

        ``tokens`` (B, T, n) are the numbers of the states and what is seen around them; ``visible``
        (B or 1, T or 1, P + T) says which places each place may attend to, by default all.
        """
        x = self._linear("tokens", tokens) + self._linear("condition", condition)[:, None]
        x = self.arithmetic.dropout(x)
        kept = []
        for k, block in enumerate(self._layers("path_blocks")):
            x, keys_values = self._block(block, x, visible, None if past is None else past[k])
            kept.append(keys_values)
        return self._norm("path_norm", x), kept

    def point(self, text: ReadText, x: Any, references: Any, counts: Any) -> Any:
        """Return the logits of the words and of the end at each place, (B, T, M + 1)."""
        n_words, gather = text.keys.shape[1], self.arithmetic.gather
        shape = (*references.shape, n_words)
        distance = self._lib.arange(n_words) - references[..., None]  # (B, T, references, M)
        # The class of a distance, counted on from one reference to the next.
        column = bins(distance) + N_BINS * self._lib.arange(shape[2])[:, None]
        by_place = gather(self._linear("query_by_distance", x), column.reshape(*shape[:2], -1), 2)
        by_word = gather(text.by_distance.swapaxes(1, 2), column.reshape(shape[0], -1, n_words), 1)
        left, right = (self._softplus("slope")[:, k, None] for k in (0, 1))
        falls = self._tail(distance) * self._lib.where(distance > 0, right, left)
        logits = self._linear("queries", x) @ text.keys.swapaxes(1, 2) / math.sqrt(x.shape[2])
        logits = logits + (by_place.reshape(shape) + by_word.reshape(shape) - falls).sum(2)
        logits = logits + gather(self._linear("query_by_visits", x), counts, 2)
        logits = self._lib.where(text.inside[:, None], logits, -math.inf)
        return self._lib.concatenate([logits, self._end(text, x, references)], axis=2)

    def _end(self, text: ReadText, x: Any, references: Any) -> Any:
        """Return the logit of the end, (B, T, 1).

        The end is addressed like a word that follows the last one, so it is far while much is unread.
        """
        ahead = text.inside.sum(1)[:, None, None] - references  # (B, T, references)
        reference = self._lib.arange(ahead.shape[2])
        slope = self._softplus("end_relative.slope")[1 * (ahead > 0), reference]
        bias = self.weights["end_relative.table"][bins(ahead), reference] - self._tail(ahead) * slope
        return self._linear("end", x) + bias.sum(2)[..., None]

    def lengths(self, gist: Any, condition: Any) -> Any:
        """Return the parameters of the distribution of fixations per word, (B, n)."""
        return self._perceptron("length", self._lib.concatenate([gist, condition], axis=1))

    def durations(self, features: Any) -> Any:
        """Return the parameters of the distribution of each duration, (n, 6)."""
        return self._perceptron("duration", features)

    def _block(
        self, name: str, x: Any, visible: Any, past: tuple[Any, Any] | None = None
    ) -> tuple[Any, tuple[Any, Any]]:
        """Apply pre-norm attention with relative biases, and a feed-forward layer.

        Return the new x (B, T, d), and keys and values (B, h, P + T, d/h) for later places.
        """
        batch, n_places, width = x.shape
        parts = self._linear(f"{name}.query_key_value", self._norm(f"{name}.attention_norm", x))
        parts = parts.reshape(batch, n_places, 3, self.heads, width // self.heads)
        query, key, value = (parts[:, :, k].swapaxes(1, 2) for k in range(3))
        if past is not None:
            key, value = (
                self._lib.concatenate([old, new], axis=2) for old, new in zip(past, (key, value), strict=True)
            )
        bias = self._relative(f"{name}.relative", distances(n_places, key.shape[2] - n_places))
        if visible is not None:
            bias = self._lib.where(visible[:, None], bias, -math.inf)
        mixed = self.arithmetic.attention(query, key, value, bias)
        mixed = self._linear(f"{name}.attended", mixed.swapaxes(1, 2).reshape(x.shape))
        x = x + self.arithmetic.dropout(mixed)
        wide = self.arithmetic.gelu(self._linear(f"{name}.wide", self._norm(f"{name}.forward_norm", x)))
        return x + self.arithmetic.dropout(self._linear(f"{name}.narrow", wide)), (key, value)

    def _relative(self, name: str, distance: Ints) -> Any:
        """Return a bias for each distance, (heads, T, P + T).

        Beyond ``FAR`` it falls with the logarithm of the distance. A table that is cut off there would
        make every far word as likely as one at its end, and in a long text there are many.
        """
        constant = self.arithmetic.constant
        slope = self._softplus(f"{name}.slope")[constant(1 * (distance > 0))]
        table = self.weights[f"{name}.table"][constant(bins(distance))]
        return self._lib.moveaxis(table - self._tail(constant(distance))[..., None] * slope, 2, 0)

    def _tail(self, distance: Any) -> Any:
        """Return by how much the logarithm of a distance exceeds that of the first far one."""
        return self._lib.log(abs(distance).clip(FAR + 1) / (FAR + 1))

    def _softplus(self, name: str) -> Any:
        weight = self.weights[name]
        return self._lib.logaddexp(weight, self._lib.zeros_like(weight))

    def _perceptron(self, name: str, x: Any) -> Any:
        x = self.arithmetic.dropout(self.arithmetic.gelu(self._linear(f"{name}.0", x)))
        return self._linear(f"{name}.2", self.arithmetic.gelu(self._linear(f"{name}.1", x)))

    def _linear(self, name: str, x: Any) -> Any:
        return self.arithmetic.linear(x, self.weights[f"{name}.weight"], self.weights[f"{name}.bias"])

    def _norm(self, name: str, x: Any) -> Any:
        return self.arithmetic.norm(x, self.weights[f"{name}.weight"], self.weights[f"{name}.bias"])

    def _layers(self, name: str) -> list[str]:
        """Return the names of the layers of a stack."""
        n_layers = sum(key.startswith(f"{name}.") and key.endswith(".wide.bias") for key in self.weights)
        return [f"{name}.{k}" for k in range(n_layers)]


def bins(distance: Any) -> Any:
    """Return the class of a distance: -FAR … FAR each by itself, and one beyond on either side.

    >>> bins(np.array([-20, 0, 20])).tolist()
    [0, 9, 18]
    """
    return distance.clip(-FAR - 1, FAR + 1) + FAR + 1


def distances(n_places: int, n_past: int = 0) -> Ints:
    """Return how far all places are from the new ones, (T, P + T)."""
    every = np.arange(n_past + n_places)
    return every - every[n_past:, None]


def causal(n_places: int) -> Flags:
    """Return which places each place may look at, (1, T, T): itself and those before it."""
    return np.tri(n_places, dtype=bool)[None]


def tokens(text: ReadText, states: States) -> Array:
    """Return what a network is told at each place: the numbers of the state, and the words around it."""
    return np.concatenate([states.tokens(), seen_around(text.near, states.window)], axis=2)


def seen_around(near: Any, window: Any) -> Any:
    """Return what is seen of the words around each place, (B, T, 6 · n); arrays or tensors."""
    batch, n_places, size = window.shape
    row = np.arange(batch)[:, None, None]
    return near[row, window].reshape(batch, n_places, size * near.shape[2])

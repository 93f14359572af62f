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
from scandl.models.pointer.path_batch import Array, Flags, Ints, TextBatch
from scandl.models.pointer.states import FURTHEST, LAST, States

FAR = 8  # words, or fixations, up to which each distance has a parameter of its own
N_BINS = 2 * FAR + 3
LINES = 2  # up to which each distance between lines has a parameter of its own
NEAR_WIDTH = 16  # of what is seen of each word around a place
HORIZON = 64  # places before, or after, that a place attends to

Memory: TypeAlias = "list[tuple[Array, Array]]"
"""Keys and values of each layer for the last ``HORIZON`` places, (B, heads, HORIZON, width / heads)."""


@dataclass(frozen=True, slots=True)
class ReadText:
    """Texts as a network has read them, arrays or tensors: S texts, M words (padded)."""

    near: Any  # (S, M + 1, n) what is seen of a word next to the eyes; the last row is no word
    keys: Any  # (S, M, width) what is pointed at
    by_distance: Any  # (S, M, references · bins) how a word attracts from each distance
    inside: Any  # (S, M) boolean, False on padding
    lines: Any  # (S, M) the line of each word
    lined: Any  # (S,) whether lines are known, 0 or 1

    def of(self, row: Any) -> ReadText:
        """Return the texts of a batch, by their numbers."""
        return ReadText(*(getattr(self, name)[row] for name in self.__slots__))

    def window(self, row: Ints, first: Ints, size: int) -> ReadText:
        """Return ``size`` words of the texts of a batch, from the ``first`` of each on, to be pointed at."""
        at = row[:, None], first[:, None] + np.arange(size)
        parts = (self.keys[at], self.by_distance[at], self.inside[at], self.lines[at])
        return ReadText(None, *parts, self.lined[row])


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

    def read(self, features: Any, inside: Any, lines: Any, lined: Any) -> ReadText:
        """Read texts: features (S, M, F), ``inside`` (S, M) False on padding, lines as in ``ReadText``."""
        x = self._linear("words", features)
        distance = distances(features.shape[1])
        for block in self._layers("word_blocks"):
            x = self._block(block, x, distance, inside[:, None])
        x = self._norm("word_norm", x)
        near = self._linear("near", x) * inside[..., None]
        near = self._lib.concatenate([near, self._lib.zeros_like(near[:, :1])], axis=1)
        return ReadText(near, self._linear("keys", x), self._linear("by_distance", x), inside, lines, lined)

    def read_texts(self, batch: TextBatch) -> ReadText:
        """Read the distinct texts of a batch."""
        return self.read(batch.features, batch.inside, batch.lines, batch.lined)

    def places(self, tokens: Any, condition: Any, visible: Any) -> Any:
        """Return what is known at each place, (B, T, width).

        ``tokens`` (B, T, n) are the numbers of the states and what is seen around them; ``visible``
        (B or 1, T or 1, T) says which places each place may attend to.
        """
        x, distance = self._embedded(tokens, condition), distances(tokens.shape[1])
        for block in self._layers("path_blocks"):
            x = self._block(block, x, distance, visible)
        return self._norm("path_norm", x)

    def next_place(self, tokens: Any, condition: Any, memory: Memory, number: int) -> Any:
        """Return what is known at one more place, (B, 1, width), and remember it in ``memory``."""
        x = self._embedded(tokens, condition)
        # Places go round in the memory: each is found where the one ``HORIZON`` before it was.
        age = (number - np.arange(min(number + 1, HORIZON))) % HORIZON
        for block, kept in zip(self._layers("path_blocks"), memory, strict=True):
            x = self._block(block, x, -age[None], None, (kept, number))
        return self._norm("path_norm", x)

    def memory(self, n_paths: int) -> Memory:
        """Return the memory of paths that begin."""
        width = len(self.weights["path_norm.bias"])
        shape = n_paths, self.heads, HORIZON, width // self.heads
        return [(np.zeros(shape), np.zeros(shape)) for _ in self._layers("path_blocks")]

    def point(self, text: ReadText, x: Any, references: Any, gap: Any, visits: Any) -> Any:
        """Return the logits of the words at each place, (B, T, M); texts are one per path."""
        n_words, gather = text.keys.shape[1], self.arithmetic.gather
        shape = (*references.shape, n_words)
        word = self._lib.arange(n_words)
        distance = word - references[..., None]  # (B, T, references, M)
        # The class of a distance, counted on from one reference to the next.
        column = bins(distance) + N_BINS * self._lib.arange(shape[2])[:, None]
        by_place = gather(self._linear("query_by_distance", x), column.reshape(*shape[:2], -1), 2)
        by_word = gather(text.by_distance.swapaxes(1, 2), column.reshape(shape[0], -1, n_words), 1)
        left, right = (self._softplus("slope")[:, k, None] for k in (0, 1))
        falls = self._tail(distance) * self._lib.where(distance > 0, right, left)
        logits = self._linear("queries", x) @ text.keys.swapaxes(1, 2) / math.sqrt(x.shape[2])
        logits = logits + (by_place.reshape(shape) + by_word.reshape(shape) - falls).sum(2)
        for name, count in (("before", visits[:, :, 0]), ("after", visits[:, :, 1])):
            logits = logits + gather(self._linear(f"query_by_visits_{name}", x), count, 2)
        logits = logits + gather(self._linear("query_by_line", x), lines_away(text, references), 2)
        # Nobody leaps far ahead of what was read, but to another line.
        ahead = (distance[:, :, FURTHEST] / gap[..., None] - FAR).clip(0)
        logits = logits - ahead * self._softplus("ahead")[text.lined][:, None, None]
        return self._lib.where(text.inside[:, None], logits, -math.inf)

    def lengths(self, of_text: Any, condition: Any) -> Any:
        """Return the parameters of the distribution of fixations per word, (B, n)."""
        return self._perceptron("length", self._lib.concatenate([of_text, condition], axis=1))

    def durations(self, features: Any) -> Any:
        """Return the parameters of the distribution of each duration, (n, 6)."""
        return self._perceptron("duration", features)

    def _embedded(self, tokens: Any, condition: Any) -> Any:
        x = self._linear("tokens", tokens) + self._linear("condition", condition)[:, None]
        return self.arithmetic.dropout(x)

    def _block(
        self,
        name: str,
        x: Any,
        distance: Ints,
        visible: Any = None,
        memory: tuple[tuple[Array, Array], int] | None = None,
    ) -> Any:
        """Apply pre-norm attention with relative biases, and a feed-forward layer, (B, T, d).

        With a memory, which is of NumPy arrays, x is one place, which attends to those remembered.
        """
        batch, n_places, width = x.shape
        parts = self._linear(f"{name}.query_key_value", self._norm(f"{name}.attention_norm", x))
        parts = parts.reshape(batch, n_places, 3, self.heads, width // self.heads)
        query, key, value = (parts[:, :, k].swapaxes(1, 2) for k in range(3))
        if memory is not None:
            kept, number = memory
            for known, new in zip(kept, (key, value), strict=True):
                known[:, :, number % HORIZON] = new[:, :, 0]
            key, value = (known[:, :, : number + 1] for known in kept)
        bias = self._relative(f"{name}.relative", distance)
        if visible is not None:
            bias = self._lib.where(visible[:, None], bias, -math.inf)
        mixed = self.arithmetic.attention(query, key, value, bias)
        mixed = self._linear(f"{name}.attended", mixed.swapaxes(1, 2).reshape(x.shape))
        x = x + self.arithmetic.dropout(mixed)
        wide = self.arithmetic.gelu(self._linear(f"{name}.wide", self._norm(f"{name}.forward_norm", x)))
        return x + self.arithmetic.dropout(self._linear(f"{name}.narrow", wide))

    def _relative(self, name: str, distance: Ints) -> Any:
        """Return a bias for each distance, (heads, T, P).

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


def lines_away(text: ReadText, references: Any) -> Any:
    """Return the class of how many lines words are away from the last fixation, (B, T, M)."""
    here = references[..., LAST].clip(0, text.lines.shape[1] - 1)
    own = text.lines[np.arange(len(here))[:, None], here]
    return (text.lines[:, None] - own[..., None]).clip(-LINES, LINES) + LINES


def distances(n_places: int) -> Ints:
    """Return how far all places are from each other, (T, T)."""
    every = np.arange(n_places)
    return every - every[:, None]


def visible(n_fixations: Ints, n_places: int, *, in_order: bool) -> Flags:
    """Return which places each place may attend to, (B or 1, T, T): those before it, or all that are near."""
    distance = distances(n_places)
    if in_order:
        return ((distance <= 0) & (distance > -HORIZON))[None]
    # A place behind the end, which means nothing, sees itself: it has to see something.
    inside = np.arange(n_places) < n_fixations[:, None, None]
    return (inside & (abs(distance) < HORIZON)) | (distance == 0)


def tokens(near: Array, states: States) -> Array:
    """Return what a network is told at each place: the numbers of the state, and the words around it."""
    return np.concatenate([states.tokens(), seen_around(near, states.around)], axis=2)


def seen_around(near: Any, around: Any) -> Any:
    """Return what is seen of the words around each place, (B, T, 18 · n); arrays or tensors."""
    batch, n_places, size = around.shape
    row = np.arange(batch)[:, None, None]
    return near[row, around].reshape(batch, n_places, size * near.shape[2])

"""Items: the human and the generated scanpaths of one sentence, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scandl.records import Positions, Scanpath

_BLOCK = 100  # resamples at a time, so that memory does not grow with their number


@dataclass(frozen=True, slots=True)
class Item:
    """One sentence, and who read it on either side."""

    sentence_id: str
    human: tuple[Scanpath, ...]
    model: tuple[Scanpath, ...]

    @property
    def paths(self) -> list[Positions]:
        """The positions of all paths, the human ones first."""
        return [path.words for path in (*self.human, *self.model)]


@dataclass(frozen=True, slots=True)
class Items:
    """The sentences both sides have enough paths of, and those that had to be left out."""

    items: tuple[Item, ...]
    left_out: tuple[str, ...]


def matched(
    human: Iterable[Scanpath], model: Iterable[Scanpath], *, min_human: int = 1, min_model: int = 1
) -> Items:
    """Put the paths of the same sentence side by side, in the order of the human ones.

    >>> cat, dog = Scanpath("r1", "cat", (0, 1)), Scanpath("r1", "dog", (0,))
    >>> found = matched([cat, dog], [dog])
    >>> [item.sentence_id for item in found.items], found.left_out
    (['dog'], ('cat',))
    """
    sides: tuple[dict[str, list[Scanpath]], dict[str, list[Scanpath]]] = ({}, {})
    for side, paths in zip(sides, (human, model), strict=True):
        for path in paths:
            side.setdefault(path.sentence_id, []).append(path)
    items, left_out = [], []
    for sentence_id in dict.fromkeys([*sides[0], *sides[1]]):
        humans, generated = (tuple(side.get(sentence_id, ())) for side in sides)
        if len(humans) >= min_human and len(generated) >= min_model:
            items.append(Item(sentence_id, humans, generated))
        else:
            left_out.append(sentence_id)
    return Items(tuple(items), tuple(left_out))


def multiplicities(rng: np.random.Generator, n: int, resamples: int) -> NDArray[np.float64]:
    """Draw how often each of ``n`` clusters occurs in each bootstrap resample: (resamples, n)."""
    return rng.multinomial(n, np.full(n, 1.0 / n), size=resamples).astype(np.float64)


def reader_multiplicities(
    paths: Sequence[Scanpath], rng: np.random.Generator, resamples: int
) -> dict[str, NDArray[np.float64]]:
    """Draw how often each reader of ``paths`` occurs in each resample, by reader."""
    readers = sorted({path.reader_id for path in paths})
    drawn = multiplicities(rng, len(readers), resamples) if readers else np.zeros((resamples, 0))
    return {reader: drawn[:, k] for k, reader in enumerate(readers)}


def crossed_weights(
    sentences: NDArray[np.int64], readers: NDArray[np.int64], resamples: int, rng: np.random.Generator
) -> Iterator[NDArray[np.float64]]:
    """Yield blocks (resamples, paths) of how often each path counts when both are drawn with replacement.

    ``sentences`` and ``readers`` number the clusters of each path from 0; a path counts as often as
    its sentence times its reader was drawn.
    """
    by_sentence = multiplicities(rng, int(sentences.max()) + 1, resamples)  # (B, S)
    by_reader = multiplicities(rng, int(readers.max()) + 1, resamples)  # (B, R)
    for first in range(0, resamples, _BLOCK):
        block = slice(first, first + _BLOCK)
        yield by_sentence[block][:, sentences] * by_reader[block][:, readers]


def codes(names: Sequence[str]) -> NDArray[np.int64]:
    """Return the number of each name, counted from 0 in sorted order.

    >>> codes(["b", "a", "b"])
    array([1, 0, 1])
    """
    return np.unique(names, return_inverse=True)[1]

"""Items: the human and the generated scanpaths of one sentence, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scandl.records import Positions, Scanpath


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


def codes(names: Sequence[str]) -> NDArray[np.int64]:
    """Return the number of each name, counted from 0 in sorted order.

    >>> codes(["b", "a", "b"])
    array([1, 0, 1])
    """
    return np.unique(names, return_inverse=True)[1]

"""Readers set against each other, and how much each of them weighs in the mean.

A human ceiling is a mean over pairs of readers. Both of a pair are a sample of the people who might
have read: to count only one of them would give half of the standard error that readers bring (a
U-statistic of two arguments).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from scandl.statistics.clustered import Contributions, Uncertainty, clustered, codes, sums_by
from scandl_eval.metrics.score_table import Column

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ReaderPairs:
    """The readers of one sentence: how far each is from the partners, and who moves whose mean."""

    readers: tuple[str, ...]
    means: Array  # (n,) mean distance of each reader to the partners
    moves: NDArray[np.float32]  # (n, n) how much the column's reader, as a partner, moves the row's mean

    @classmethod
    def of(cls, readers: Sequence[str], partners: Array, distances: Array) -> Self:
        """Set readers against partners: ``partners`` is 1 where the row's reader meets the column's."""
        weights = partners / np.maximum(partners.sum(axis=1, keepdims=True), 1.0)
        means = (weights * distances).sum(axis=1)
        return cls(tuple(readers), means, (weights * (distances - means[:, None])).astype(np.float32))


def pairs_of_one_partner(
    column: Column, partners: Mapping[tuple[str, str, str], str]
) -> dict[str, ReaderPairs]:
    """Return the pairs behind a column in which each item's reader met one other, who is named."""
    found: dict[str, dict[tuple[str, str], float]] = {}
    for (fold, reader, sentence), value in zip(column.items, column.values.tolist(), strict=True):
        found.setdefault(sentence, {})[reader, partners[fold, reader, sentence]] = value
    by_sentence = {}
    for sentence, distances in found.items():
        names = sorted({reader for pair in distances for reader in pair})
        met, apart = np.zeros((2, len(names), len(names)))
        for (reader, partner), value in distances.items():
            at = names.index(reader), names.index(partner)
            met[at], apart[at] = 1.0, value
        by_sentence[sentence] = ReaderPairs.of(names, met, apart)
    return by_sentence


def pairs_uncertainty(
    pairs: Mapping[str, ReaderPairs], column: Column, beside: Sequence[Array] = ()
) -> Uncertainty:
    """Return how sure the mean of a human column is, and the means of other values on its items.

    A reader counts with the own items, and once more as a partner in the items of others. The
    estimates are the human mean, then those of ``beside`` in their order.
    """
    values = np.column_stack([column.values, *beside])
    own = (values - values.mean(axis=0)) / len(column)  # (items, 1 + k)
    rows: dict[str, list[int]] = {}
    for i, sentence in enumerate(column.sentences):
        rows.setdefault(sentence, []).append(i)
    readers, sentences, moved = list(column.readers), list(column.sentences), [own]
    for sentence, items in rows.items():
        found = pairs[sentence]
        place = {reader: k for k, reader in enumerate(found.readers)}
        more = np.zeros((len(found.readers), values.shape[1]))
        more[:, 0] = found.moves[[place[column.readers[i]] for i in items]].sum(axis=0) / len(column)
        moved.append(more)
        readers += found.readers
        sentences += [sentence] * len(found.readers)
    return _by_reading(np.concatenate(moved), readers, sentences, named=column.clusters is not None)


def _by_reading(
    moved: Array, readers: Sequence[str], sentences: Sequence[str], *, named: bool
) -> Uncertainty:
    """Put together what one reader contributes to one sentence, as item and as partner."""
    sentence, reader = codes(sentences), codes(readers)
    cell = codes([f"{s} {r}" for s, r in zip(sentence.tolist(), reader.tolist(), strict=True)])
    first = np.unique(cell, return_index=True)[1]
    return clustered(Contributions(sums_by(moved, cell), reader[first] if named else None, sentence[first]))

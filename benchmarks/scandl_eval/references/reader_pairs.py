"""Readers set against each other, and what another sample of readers would have made of it.

A human ceiling is a mean over pairs of readers. Both of a pair are a sample of the people who might
have read: resampling one and holding the other fixed would give half of the standard error that
readers bring (a U-statistic of two arguments).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scandl.seeds import stream
from scandl_eval.distributions.items import multiplicities
from scandl_eval.metrics.score_table import Column

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Met:
    """The readers of one sentence, who of them is set against whom, and how far they are apart."""

    readers: tuple[str, ...]
    partners: Array  # (n, n): 1 where the reader of the row is set against that of the column
    distances: Array  # (n, n)

    @property
    def means(self) -> Array:
        """The mean distance of each reader to the partners."""
        means: Array = (self.partners * self.distances).sum(axis=1) / self.partners.sum(axis=1)
        return means


def met_once(column: Column, partners: Mapping[tuple[str, str, str], str]) -> dict[str, Met]:
    """Return the meetings behind a column in which each item's reader met one other, who is named."""
    pairs: dict[str, dict[tuple[str, str], float]] = {}
    for (fold, reader, sentence), value in zip(column.items, column.values.tolist(), strict=True):
        pairs.setdefault(sentence, {})[reader, partners[fold, reader, sentence]] = value
    found = {}
    for sentence, distances in pairs.items():
        names = sorted({reader for pair in distances for reader in pair})
        met = Met(tuple(names), *np.zeros((2, len(names), len(names))))
        for (reader, partner), value in distances.items():
            at = names.index(reader), names.index(partner)
            met.partners[at], met.distances[at] = 1.0, value
        found[sentence] = met
    return found


def resampled_meetings(
    met: Mapping[str, Met], column: Column, beside: Sequence[Array], *, seed: int, resamples: int,
    reader_draws: int | None = None,
) -> Array:  # fmt: skip
    """Return means in resamples of readers and sentences: of the column, then of others on its items.

    A reader's value is the mean distance to the partners that were drawn, each as often as it was; a
    reader drawn twice is no partner of the own copy. Values of ``beside`` count whenever the
    column's do, so differences are paired. Readers without names are not resampled. With fewer
    ``reader_draws``, a divisor of ``resamples``, each draw of readers meets several of sentences.

    Returns
    -------
    (resamples, 1 + len(beside)), NaN where no pair was drawn, or where there is but one to draw.
    """
    rng = stream(seed, "meetings")
    names = sorted({reader for found in met.values() for reader in found.readers})
    if len(met) < 2 and len(names) < 3:
        return np.full((resamples, 1 + len(beside)), np.nan)
    n_draws = reader_draws or resamples
    drawn = multiplicities(rng, len(names), n_draws)  # (draws, R)
    if column.clusters is None:
        drawn = np.ones_like(drawn)
    place = {name: k for k, name in enumerate(names)}
    by_sentence = multiplicities(rng, len(met), resamples).T.reshape(len(met), -1, n_draws, 1)
    others = np.column_stack([np.zeros(len(column)), *beside])  # (items, 1 + k); the first is filled below
    items: dict[str, list[int]] = {}
    for i, sentence in enumerate(column.sentences):
        items.setdefault(sentence, []).append(i)
    shape = by_sentence.shape[1:3]  # (times, draws)
    sums, counts = np.zeros((*shape, others.shape[1])), np.zeros((*shape, 1))
    for sentence, n_times in zip(sorted(met), by_sentence, strict=True):
        found, rows = met[sentence], items.get(sentence, [])
        who = [found.readers.index(column.readers[i]) for i in rows]
        weights = drawn[:, [place[reader] for reader in found.readers]]  # (draws, n)
        n_partners = weights @ found.partners[who].T  # (draws, items)
        distances = weights @ (found.partners * found.distances)[who].T
        distances /= np.where(n_partners > 0, n_partners, 1.0)
        times = weights[:, who] * (n_partners > 0)
        total = times @ others[rows]  # (draws, 1 + k)
        total[:, 0] += (times * distances).sum(axis=1)
        sums += n_times * total
        counts += n_times * times.sum(axis=1, keepdims=True)
    return (sums / np.where(counts > 0, counts, np.nan)).reshape(resamples, -1)

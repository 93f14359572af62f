"""Mean distances between paths of different readers, who may have any number of paths on either side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scandl.records import Scanpath
from scandl.statistics.clustered import Codes
from scandl.statistics.distances import distinct, pairwise

Array = NDArray[np.float64]


def uneven_means(
    human: Sequence[Scanpath],
    models: Sequence[Sequence[Scanpath]],
    whose: Sequence[Sequence[str]],
    kernel: str,
) -> tuple[list[str], Array, float, Array, Array, Array, Array]:
    """Return the readers of a sentence, the mean distances, and what each reader contributes to them.

    The means are those between readers and each model, among readers, and within each model; the
    contributions follow in the same order. ``whose`` names the reader of each path, side by side.
    """
    everyone = list(dict.fromkeys(name for side in whose for name in side))
    place = {name: i for i, name in enumerate(everyone)}
    at = [np.array([place[name] for name in side], dtype=np.intp) for side in whose]
    n, k = len(everyone), len(models)
    own = [path.words for path in human]
    within_human, of_human = mean_within(pairwise(own, own, kernel), at[0], n)
    between, within_model = np.empty(k), np.empty(k)
    of_between, of_model = np.empty((n, k)), np.empty((n, k))
    for j, paths in enumerate(models):
        theirs, which = distinct(paths)
        apart = pairwise(own, theirs, kernel)[:, which]  # (human, paths)
        spread = pairwise(theirs, theirs, kernel)[np.ix_(which, which)]
        between[j], of_between[:, j] = mean_between(apart, at[0], at[j + 1], n)
        within_model[j], of_model[:, j] = mean_within(spread, at[j + 1], n)
    return everyone, between, within_human, within_model, of_between, of_human, of_model


def mean_within(distance: Array, reader: Codes, n: int) -> tuple[float, Array]:
    """Return the mean distance between paths of different readers, and what each reader contributes.

    Leaving out a reader changes a mean over pairs by twice the deviation of that reader's own mean.
    """
    by_reader, size = _by_reader(distance, reader, n)
    total, pairs = by_reader.sum() - np.trace(by_reader), size.sum() ** 2 - (size**2).sum()
    mean = float(total / pairs)
    sums = by_reader.sum(axis=1) - np.diag(by_reader)
    partners = size * (size.sum() - size)
    m = int((size > 0).sum())
    few = (m - 1) / (m - 2) if m > 2 else 0.0  # as deleting one reader at a time would give
    return mean, 2.0 * few * (sums - mean * partners) / pairs


def mean_between(distance: Array, human: Codes, model: Codes, n: int) -> tuple[float, Array]:
    """Return the mean distance between paths of different readers on the two sides, and contributions."""
    sums = np.zeros((n, n))
    np.add.at(sums, (human[:, None], model[None, :]), distance)
    n_human, n_model = np.bincount(human, minlength=n), np.bincount(model, minlength=n)
    own = np.diag(sums)
    pairs = n_human.sum() * n_model.sum() - (n_human * n_model).sum()
    if not pairs:
        return float("nan"), np.zeros(n)
    mean = float((sums.sum() - own.sum()) / pairs)
    as_human = sums.sum(axis=1) - own - mean * n_human * (n_model.sum() - n_model)
    as_model = sums.sum(axis=0) - own - mean * n_model * (n_human.sum() - n_human)
    m = int((n_human > 0).sum())
    few = (m - 1) / (m - 2) if m > 2 else 0.0
    return mean, few * (as_human + as_model) / pairs


def _by_reader(distance: Array, reader: Codes, n: int) -> tuple[Array, Array]:
    """Return the sums of distances by pair of readers, (n, n), and the number of paths of each."""
    size = np.bincount(reader, minlength=n).astype(np.float64)
    sums = np.zeros((n, n))
    np.add.at(sums, (reader[:, None], reader[None, :]), distance)
    return sums, size

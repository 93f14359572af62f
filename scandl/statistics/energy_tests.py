"""What an energy distance of 0 looks like by chance: relabelled paths, and halves of the readers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scandl.records import Scanpath
from scandl.seeds import stream
from scandl.statistics.distances import pairwise
from scandl.statistics.timed_paths import seen_by

Array = NDArray[np.float64]
Paths = Mapping[str, Sequence[Scanpath]]
"""The scanpaths of each sentence."""

PERMUTATIONS = 999
SPLITS = 200


@dataclass(frozen=True, slots=True)
class Halves:
    """Energy distances between one half of the readers and the other, over random splits."""

    mean: float  # 0 in expectation
    ci95: tuple[float, float]  # holds 95 % of the splits: how far one half is from the other
    n_sentences: int


def permutation_p(
    human: Paths, model: Paths, kernel: str = "nld", *, permutations: int = PERMUTATIONS, seed: int = 1
) -> float | None:
    """Return the p-value of "human and generated paths are exchangeable within sentences".

    It is the share of relabellings at least as far apart as what was observed, itself included; None
    where no sentence has two paths on each side. Paths of one reader are taken as unrelated.
    """
    model = seen_by(kernel, model)[1]
    kernel, human = seen_by(kernel, human)
    both = [s for s in human if len(human[s]) > 1 and len(model.get(s, ())) > 1]
    if not both:
        return None
    observed, null = 0.0, np.zeros(permutations)
    for sentence in both:
        n, m = len(human[sentence]), len(model[sentence])
        paths = [path.words for path in (*human[sentence], *model[sentence])]
        distance = pairwise(paths, paths, kernel)
        labels = np.tile(np.repeat([1.0, 0.0], [n, m]), (permutations, 1))
        drawn = stream(seed, "energy", "permutation", sentence).permuted(labels, axis=1)
        values = _energies(np.vstack([np.repeat([1.0, 0.0], [n, m]), drawn]), distance)
        observed += float(values[0])
        null += values[1:]
    at_least = int((null >= observed - 1e-9).sum())  # equal sums may differ in the last digits
    return (1 + at_least) / (1 + permutations)


def half_against_half(
    human: Paths, kernel: str = "nld", *, splits: int = SPLITS, seed: int = 1
) -> Halves | None:
    """Return how far one random half of the readers is from the other; None with too few readers.

    A split divides readers, not paths: a reader is on the same side in every sentence. A sentence
    counts in a split that leaves two readers on each side of it.
    """
    kernel, human = seen_by(kernel, human)
    enough = {sentence: paths for sentence, paths in human.items() if len(paths) > 3}
    if not enough:
        return None
    readers = sorted({path.reader_id for paths in enough.values() for path in paths})
    place = {reader: i for i, reader in enumerate(readers)}
    first = np.arange(len(readers)) < len(readers) // 2
    sides = stream(seed, "halves").permuted(np.tile(first, (splits, 1)), axis=1).astype(np.float64)
    sums, counts = np.zeros(splits), np.zeros(splits)
    for paths in enough.values():
        x = sides[:, [place[path.reader_id] for path in paths]]
        words = [path.words for path in paths]
        n_x = x.sum(axis=1)
        defined = (n_x > 1) & (len(paths) - n_x > 1)
        if defined.any():
            sums[defined] += _energies(x[defined], pairwise(words, words, kernel))
            counts += defined
    values = sums[counts > 0] / counts[counts > 0]
    if not len(values):
        return None
    low, high = np.quantile(values, [0.025, 0.975])
    return Halves(float(values.mean()), (float(low), float(high)), len(enough))


def _energies(x: Array, distance: Array) -> Array:
    """Return the energy distance of each labelling: rows of ``x`` are 1 for one side, 0 for the other."""
    # With y = 1 − x all three sums follow from x'Dx and x'D1.
    n = x.sum(axis=1)
    m = x.shape[1] - n
    to_all, total = x @ distance.sum(axis=1), distance.sum()
    within = np.einsum("ij,ij->i", x @ distance, x)
    energy: Array = 2.0 * (to_all - within) / (n * m) - within / (n * (n - 1))
    return energy - (total - 2.0 * to_all + within) / (m * (m - 1))

"""Whether an energy distance is more than chance: the test that relabels paths."""

from __future__ import annotations

import numpy as np

from scandl.seeds import stream
from scandl.statistics.distances import pairwise, seen_by
from scandl.statistics.energy import Paths, labelled_energies

PERMUTATIONS = 999


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
        values = labelled_energies(np.vstack([np.repeat([1.0, 0.0], [n, m]), drawn]), distance)
        observed += float(values[0])
        null += values[1:]
    at_least = int((null >= observed - 1e-9).sum())  # equal sums may differ in the last digits
    return (1 + at_least) / (1 + permutations)

"""The order of training examples: a function of the seed and the step, so a resumed run sees the same."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from scandl.seeds import stream


def epochs(buckets: Sequence[int], size: int, seed: int, start: int = 0) -> Iterator[list[list[int]]]:
    """Yield epochs of batches of example numbers without end, from batch number ``start`` on.

    A batch holds examples of one bucket. Each epoch deals all examples in a new order; what is
    left of a bucket is topped up from its beginning, so that every batch is full.
    """
    number = 0
    for epoch in itertools.count():
        plan = epoch_plan(buckets, size, seed, epoch)
        if number + len(plan) > start:
            yield plan[max(start - number, 0) :]
        number += len(plan)


def epoch_plan(buckets: Sequence[int], size: int, seed: int, epoch: int) -> list[list[int]]:
    """Return the batches of one epoch.

    >>> sorted(map(sorted, epoch_plan([32, 32, 64, 32], size=2, seed=1, epoch=0)))[-1]
    [2, 2]
    """
    rng = stream(seed, "epoch", epoch)
    plan = []
    for bucket in sorted(set(buckets)):
        members = [i for i, own in enumerate(buckets) if own == bucket]
        order = [members[i] for i in rng.permutation(len(members))]
        while len(order) % size:
            order += order[: size - len(order) % size]
        plan += [order[i : i + size] for i in range(0, len(order), size)]
    return [plan[i] for i in rng.permutation(len(plan))]

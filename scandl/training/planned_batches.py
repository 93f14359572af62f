"""The batches of a training, an epoch of them on the device at a time.

Their order is a function of the seed and the step, so a resumed run sees the same.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Self

import numpy as np
import torch
from torch import Tensor

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


class Examples(tuple[int, ...]):
    """Numbers of examples, which lie on the device too, each with its occurrence within the batch."""

    on_device: Tensor  # (B,)
    copies: Tensor  # (B,) 0 for the first occurrence of an example, 1 for the second

    @classmethod
    def of(cls, numbers: Sequence[int], on_device: Tensor, copies: Tensor) -> Self:
        """Return the numbers with what stands for them on the device."""
        found = cls(numbers)
        found.on_device, found.copies = on_device, copies
        return found

    def part(self, slots: range) -> Self:
        """Return the examples in some slots of the batch."""
        chosen = slice(slots.start, slots.stop)
        return self.of(self[chosen], self.on_device[chosen], self.copies[chosen])


def planned(
    buckets: Sequence[int], size: int, seed: int, start: int, device: torch.device
) -> Iterator[Examples]:
    """Yield batches without end, from batch number ``start`` on; their order is sent once an epoch."""
    for plan in epochs(buckets, size, seed, start):
        numbers = torch.tensor(plan)
        on_device, copies = sent(numbers, device), sent(occurrences(numbers), device)
        for batch in zip(plan, on_device, copies, strict=True):
            yield Examples.of(*batch)


def occurrences(batches: Tensor) -> Tensor:
    """Return how often each example occurs earlier in its batch, (batches, B) both.

    >>> occurrences(torch.tensor([[4, 7, 4, 4]]))
    tensor([[0, 0, 1, 2]])
    """
    return torch.stack([_earlier(batch) for batch in batches])


def _earlier(batch: Tensor) -> Tensor:
    return (batch.unsqueeze(1) == batch).tril(-1).sum(1)


def examples_of(numbers: Sequence[int], device: torch.device) -> Examples:
    """Return a batch that nobody planned."""
    if isinstance(numbers, Examples):
        return numbers
    chosen = torch.from_numpy(np.array(numbers, np.int64))
    return Examples.of(numbers, chosen.to(device), _earlier(chosen).to(device))


def sent(values: Tensor, device: torch.device) -> Tensor:
    """Send to a device; to a GPU from pinned memory, so that nobody waits for it."""
    if device.type != "cuda":
        return values.to(device)
    return values.pin_memory().to(device, non_blocking=True)

"""The batches of a training, an epoch of them on the device at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Self

import numpy as np
import torch
from torch import Tensor

from scandl.training.batch_order import epochs


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

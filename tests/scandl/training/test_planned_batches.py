"""Planned batches: in the order of the epochs, on the device, each example knowing its occurrence."""

from __future__ import annotations

import itertools

import torch

from scandl.training.batch_order import epochs
from scandl.training.planned_batches import Examples, examples_of, planned

BUCKETS = [24] * 5 + [64] * 2
CPU = torch.device("cpu")


def test_batches_come_in_the_order_of_the_epochs() -> None:
    expected = itertools.islice(itertools.chain.from_iterable(epochs(BUCKETS, 4, 1, 3)), 9)
    for batch, numbers in zip(planned(BUCKETS, 4, 1, 3, CPU), expected, strict=False):
        assert list(batch) == numbers == batch.on_device.tolist()
        assert batch.copies.tolist() == [numbers[:i].count(n) for i, n in enumerate(numbers)]


def test_a_part_is_that_of_its_slots() -> None:
    whole = examples_of([3, 4, 3, 3], CPU)
    part = whole.part(range(1, 3))
    assert isinstance(part, Examples)
    assert (tuple(part), part.on_device.tolist(), part.copies.tolist()) == ((4, 3), [4, 3], [0, 1])
    assert examples_of(part, CPU) is part

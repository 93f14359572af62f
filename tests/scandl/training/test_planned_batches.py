"""Planned batches: every example once an epoch, a start anywhere, each knowing its occurrence."""

from __future__ import annotations

import itertools

import torch

from scandl.training.planned_batches import Examples, epoch_plan, epochs, examples_of, planned

BUCKETS = [24] * 5 + [64] * 2
CPU = torch.device("cpu")


def test_an_epoch_deals_every_example_and_a_batch_has_one_bucket() -> None:
    buckets = [32] * 10 + [64] * 5
    plan = epoch_plan(buckets, 4, seed=1, epoch=0)
    assert {i for batch in plan for i in batch} == set(range(15))
    assert all(len(batch) == 4 and len({buckets[i] for i in batch}) == 1 for batch in plan)
    assert plan != epoch_plan(buckets, 4, seed=1, epoch=1)


def test_batches_can_start_anywhere() -> None:
    buckets = [32] * 7
    stream = itertools.chain.from_iterable(epochs(buckets, 3, seed=2))
    first = [next(stream) for _ in range(20)]
    later = itertools.chain.from_iterable(epochs(buckets, 3, seed=2, start=8))
    assert [next(later) for _ in range(12)] == first[8:]


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

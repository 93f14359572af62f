"""The order of batches: every example once an epoch, and a start anywhere."""

from __future__ import annotations

import itertools

from scandl.training.batch_order import epoch_plan, epochs


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

"""Random numbers by counting: the hash of its authors, the right distribution, and no memory of a batch."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from scipy import stats

from scandl.models.diffusion.counter_random import keys_of, mixed, named_key, normals, uniforms

MASK = 2**64 - 1


def slow_mix(bits: int) -> int:
    """SplitMix64's finaliser on Python's whole numbers."""
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB & MASK
    return bits ^ (bits >> 31)


def test_the_hash_is_that_of_splitmix64() -> None:
    rng = np.random.default_rng(1)
    given = [0, 1, MASK, *(int(n) for n in rng.integers(0, MASK, 200, dtype=np.uint64))]
    signed = torch.tensor([n - 2**64 if n >= 2**63 else n for n in given])
    assert [n & MASK for n in mixed(signed).tolist()] == [slow_mix(n) for n in given]
    # The first number of SplitMix64 with seed 1234567, as its reference implementation prints it.
    assert slow_mix((1234567 + 0x9E3779B97F4A7C15) & MASK) == 6457827717110365317


def test_numbers_are_those_of_their_key_in_any_company() -> None:
    keys = keys_of(named_key(3, "noise"), torch.arange(64), 17, torch.zeros(64, dtype=torch.int64))
    whole = normals(keys, (5, 7))
    order = torch.randperm(64)
    assert torch.equal(normals(keys[order], (5, 7)), whole[order])
    assert torch.equal(torch.cat([normals(k, (5, 7)) for k in keys.split(9)]), whole)
    other = keys_of(named_key(3, "noise"), torch.arange(64), 18, torch.zeros(64, dtype=torch.int64))
    assert not (keys == other).any()
    assert len(set(keys.tolist())) == 64


def test_uniform_and_normal_numbers_are_that() -> None:
    keys = keys_of(named_key(1, "test"), torch.arange(4000), 5)
    assert stats.kstest(uniforms(keys).numpy(), "uniform").pvalue > 0.001
    drawn = normals(keys, (25,)).numpy()
    assert stats.kstest(drawn.ravel(), "norm").pvalue > 0.001
    assert drawn.var() == pytest.approx(1, abs=0.02)
    correlations = np.corrcoef(drawn.T)[np.triu_indices(25, 1)]  # between places
    assert np.abs(correlations).max() < 4.5 / math.sqrt(4000)
    neighbours = np.corrcoef(drawn[:-1].ravel(), drawn[1:].ravel())[0, 1]  # between instances
    assert abs(neighbours) < 4 / math.sqrt(drawn.size)
    later = normals(keys_of(named_key(1, "test"), torch.arange(4000), 6), (25,)).numpy()  # between steps
    assert abs(np.corrcoef(drawn.ravel(), later.ravel())[0, 1]) < 4 / math.sqrt(drawn.size)


def test_bounded_numbers_are_normal_ones_drawn_again() -> None:
    drawn = normals(keys_of(0, torch.arange(4000), 1), (10,), largest=0.7).numpy()
    assert np.abs(drawn).max() <= 0.7
    assert stats.kstest(drawn.ravel(), stats.truncnorm(-0.7, 0.7).cdf).pvalue > 0.001


def test_nothing_leaves_the_device() -> None:
    """The meta device has shapes and no numbers: whoever looked at one would fail."""
    keys = keys_of(7, torch.arange(4, device="meta"), 3)
    assert normals(keys, (2, 3)).device.type == "meta"

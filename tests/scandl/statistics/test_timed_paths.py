"""Paths written in bins of time, against repetition by hand."""

from __future__ import annotations

import numpy as np
import pytest

from scandl.records import Scanpath
from scandl.statistics.energy import energy_terms
from scandl.statistics.energy_tests import half_against_half, permutation_p
from scandl.statistics.timed_paths import in_bins, seen_by, with_durations


@pytest.mark.parametrize("seed", range(10))
def test_a_word_stands_once_per_bin_and_at_least_once(seed):
    rng = np.random.default_rng(seed)
    words, ms = rng.integers(0, 9, 8).tolist(), rng.integers(1, 900, 8).tolist()
    expected = []
    for word, duration in zip(words, ms, strict=True):
        bins = [start for start in range(0, 1000, 50) if start + 25 <= duration]  # more than half of it seen
        expected += [word] * max(1, len(bins))
    assert in_bins(words, ms) == tuple(expected)


def test_halves_of_a_bin_are_rounded_up_and_bins_have_any_width():
    assert in_bins([1, 2], [75, 74.9]) == (1, 1, 2)
    assert in_bins([1, 2], [75, 74.9], bin_ms=25) == (1, 1, 1, 2, 2, 2)


def test_another_kernel_sees_the_paths_themselves():
    paths = {"s1": [Scanpath("r1", "s1", (0, 1), (200, 200))]}
    assert seen_by("yujian-bo", paths) == ("yujian-bo", paths)
    assert seen_by("yujian-bo", paths)[1] is paths


def test_paths_without_durations_are_left_out():
    paths = [Scanpath("r1", "s1", (0,), (60,)), Scanpath("r2", "s1", (0,))]
    assert with_durations(paths) == paths[:1]
    assert [path.reader_id for path in seen_by("nld-time", {"s1": paths})[1]["s1"]] == ["r1"]


def random_paths(seed, mean):
    rng = np.random.default_rng(seed)
    return {
        f"s{s}": [
            Scanpath(f"r{r}", f"s{s}", (0, 1, 2, 3), tuple(rng.normal(mean, 30, 4).round(1).clip(1).tolist()))
            for r in range(8)
        ]
        for s in range(6)
    }


def test_every_statistic_of_energy_takes_timed_paths():
    """The paths are the same in place, so that only time can tell them apart."""
    human, fast = random_paths(1, 250), {"fast": random_paths(2, 120)}
    assert energy_terms(human, fast, "nld").distances == pytest.approx([0.0])
    assert energy_terms(human, fast, "nld-time").distances[0] > 0.2
    assert permutation_p(human, fast["fast"], "nld-time", permutations=99) == 0.01
    assert permutation_p(human, fast["fast"], "nld", permutations=99) == 1.0
    low, high = half_against_half(human, "nld-time").ci95
    assert low < 0 < high

"""Distances: batches against the definition, and an outside package."""

from __future__ import annotations

import numpy as np
import pytest
import textdistance
from hypothesis import given
from hypothesis import strategies as st

from scandl.errors import ScandlError
from scandl.records import Scanpath
from scandl.statistics.distances import (
    KERNELS,
    in_bins,
    levenshtein,
    nld,
    nld_scandl,
    paired,
    pairwise,
    seen_by,
    with_durations,
    yujian_bo,
)
from scandl.statistics.energy import energy_terms, half_against_half, permutation_p

PATHS = st.lists(st.integers(0, 300), max_size=8).map(tuple)
ONE_BY_ONE = {"levenshtein": levenshtein, "nld": nld, "nld-scandl": nld_scandl, "yujian-bo": yujian_bo}


@given(PATHS, PATHS)
def test_edits_are_those_of_another_package(a: tuple[int, ...], b: tuple[int, ...]) -> None:
    assert levenshtein(a, b) == textdistance.levenshtein.distance(a, b)
    assert nld(a, b) == nld(b, a)
    assert 0 <= nld(a, b) <= 1


@given(PATHS, PATHS)
def test_cls_and_sep_only_lengthen(a: tuple[int, ...], b: tuple[int, ...]) -> None:
    """Written out: one symbol before and one after both paths."""
    assert nld_scandl(a, b) == nld(("CLS", *a, "SEP"), ("CLS", *b, "SEP"))


@given(PATHS, PATHS, PATHS)
def test_yujian_bo_is_a_metric(a: tuple[int, ...], b: tuple[int, ...], c: tuple[int, ...]) -> None:
    assert yujian_bo(a, c) <= yujian_bo(a, b) + yujian_bo(b, c) + 1e-12


@pytest.mark.parametrize("kernel", list(KERNELS))
@given(st.lists(PATHS, max_size=4), st.lists(PATHS, max_size=4))
def test_batches_are_one_by_one(kernel: str, a: list[tuple[int, ...]], b: list[tuple[int, ...]]) -> None:
    """Positions above 255 do not fit the fast form, and count all the same."""
    one = ONE_BY_ONE[kernel]
    expected = np.array([[one(x, y) for y in b] for x in a]).reshape(len(a), len(b))
    np.testing.assert_allclose(pairwise(a, b, kernel), expected)
    n = min(len(a), len(b))
    np.testing.assert_allclose(paired(a[:n], b[:n], kernel), np.diag(expected)[:n])


def test_what_cannot_be_compared() -> None:
    with pytest.raises(ScandlError, match="as many paths on both sides, not 1 and 2"):
        paired([(0,)], [(0,), (1,)])
    with pytest.raises(ScandlError, match="no distance 'nldd'; did you mean 'nld'?"):
        pairwise([(0,)], [(0,)], "nldd")


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

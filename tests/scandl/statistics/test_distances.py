"""Distances: batches against the definition, and an outside package."""

from __future__ import annotations

import numpy as np
import pytest
import textdistance
from hypothesis import given
from hypothesis import strategies as st

from scandl.errors import ScandlError
from scandl.statistics.distances import KERNELS, levenshtein, nld, nld_scandl, paired, pairwise, yujian_bo

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

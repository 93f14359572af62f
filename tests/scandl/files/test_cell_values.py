"""Cells: what is read is what was written, and what means nothing is refused."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scandl.files.cell_values import (
    join_path,
    parse_duration,
    parse_durations,
    parse_identifier,
    parse_index,
    parse_log_prob,
    parse_path,
)


@given(st.lists(st.integers(0, 5000)))
def test_a_path_comes_back(path: list[int]) -> None:
    assert parse_path(join_path(path)) == tuple(path)


@given(st.lists(st.integers(0, 10**6).map(lambda n: n / 100), min_size=1))
def test_durations_come_back(durations: list[float]) -> None:
    assert parse_durations(join_path(durations)) == tuple(durations)


@pytest.mark.parametrize(
    ("parse", "text"),
    [
        *((parse_path, text) for text in ("x", "0 x", "-1", "0  1", " 0", "0 ", "1.0", "٣", "0,1", "1e3")),
        *((parse_index, text) for text in ("", "-1", "1.0", "x", "²")),
        *((parse_duration, text) for text in ("", "x", "-1", "nan", "inf")),
        *((parse_log_prob, text) for text in ("", "x", "nan", "inf", "0.1", "-1e10")),
        (parse_identifier, ""),
    ],
)
def test_what_means_nothing_is_refused(parse: Callable[[str], object], text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        parse(text)


def test_an_impossible_path_has_a_logarithm_and_rounding_above_certainty_is_certain() -> None:
    assert parse_log_prob("-inf") == -math.inf
    assert parse_log_prob("1e-7") == 0.0

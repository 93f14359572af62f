"""Cells: what is read is what was written, and what means nothing is refused."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import numpy as np
import pandas as pd
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


@pytest.mark.parametrize(
    "values",
    [[0, 1, 3], (0, 1), (4,), [], np.array([0, 1, 10]), list(np.array([0, 2])), np.arange(120), np.array([0.0, 2.0])],
)  # fmt: skip
def test_lists_are_read_as_pandas_writes_them(values: object, tmp_path: object) -> None:
    file = f"{tmp_path}/paths.csv"
    pd.DataFrame({"predicted": [values]}).to_csv(file, index=False)
    (cell,) = pd.read_csv(file, dtype=str)["predicted"]
    assert parse_path(cell) == tuple(int(v) for v in values)  # type: ignore[attr-defined]
    assert parse_durations(cell) == tuple(float(v) for v in values)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "cell", ["array([0, 1])", "array([0, 1], dtype=int32)", "[np.int64(0), np.int64(1)]"]
)
def test_the_repr_of_numpy_is_read(cell: str) -> None:
    assert parse_path(cell) == (0, 1)


@pytest.mark.parametrize(
    "cell",
    ["[0, x]", "[[0, 1], [2]]", "[0 1 ... 8 9]", "[0, 1.5]", "[0, -1]", "[0, None]", "0, 1", "{0, 1}", "٣", "1_0", "9" * 400, "9" * 5000],
)  # fmt: skip
def test_what_is_no_path_is_refused(cell: str) -> None:
    with pytest.raises(ValueError, match=re.escape(cell)):
        parse_path(cell)


@pytest.mark.parametrize("cell", ["1_0", "٣", "nan", "inf", "infinity", " 5", "-1", "0x10"])
def test_a_duration_is_a_plain_number(cell: str) -> None:
    with pytest.raises(ValueError, match=re.escape(cell)):
        parse_duration(cell)
    assert parse_duration("1.5e2") == 150


def test_an_index_of_hundreds_of_digits_is_refused() -> None:
    with pytest.raises(ValueError, match="9999"):
        parse_index("9" * 5000)

"""Cells as people's tools write them, and those that mean nothing."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

from scandl.files.cell_values import parse_duration, parse_durations, parse_index, parse_path


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

"""Regions: marks and positions, and what cannot be one."""

from __future__ import annotations

import pytest

from scandl_analysis.piloting.design.region_marks import read_marks, read_positions


@pytest.mark.parametrize(
    ("marked", "region"),
    [
        ("*One* two three.", (0, 0)),
        ("One two *three.*", (2, 2)),
        ("One two *three*.", (2, 2)),
        ("One [two three] four.", (1, 2)),
        ("One  “*two*,” three", (1, 1)),
        ("One two", None),
    ],
)
def test_marks(marked, region):
    text, found = read_marks(marked)
    assert found == region
    assert not set("*[]") & set(text)
    assert text == " ".join("".join(sign for sign in marked if sign not in "*[]").split())


@pytest.mark.parametrize(
    ("marked", "why"),
    [
        ("*One* two *three*", "one marked region"),
        ("One *two three", "a region between two marks"),
        ("One ** two", "a word between the marks"),
        ("One two] three", "a region between two marks"),
    ],
)
def test_what_is_no_region_is_said(marked, why):
    with pytest.raises(ValueError, match=why):
        read_marks(marked)


@pytest.mark.parametrize("cell", ["x", "6-5", "-1", "5 7 8", "1.5", ""])
def test_positions_that_are_none(cell):
    with pytest.raises(ValueError, match="word positions such as 5 or 5-6"):
        read_positions(cell)

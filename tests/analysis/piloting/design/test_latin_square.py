"""Latin squares: balanced over readers, items and conditions."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from scandl_analysis.piloting.design.latin_square import balance_note, latin_square, list_rows
from scandl_analysis.piloting.design.stimuli import read_stimuli


@pytest.mark.parametrize(("items", "conditions"), [(8, 2), (40, 4), (9, 3)])
def test_every_version_stands_in_one_list_and_every_list_is_balanced(items, conditions):
    square = latin_square(items, conditions)
    assert square.shape == (conditions, items)
    for item in square.T:
        assert sorted(item) == list(range(conditions))
    for one in square:
        assert set(np.bincount(one)) == {items // conditions}


def test_lists_as_a_table(stimuli_frame):
    rows = list_rows(read_stimuli(stimuli_frame))
    assert Counter(row["list"] for row in rows) == {1: 4, 2: 4}
    assert Counter((row["list"], row["condition"]) for row in rows) == {
        (1, "short"): 2,
        (1, "long"): 2,
        (2, "short"): 2,
        (2, "long"): 2,
    }
    assert len({(row["item_id"], row["condition"]) for row in rows}) == 8
    assert rows[0]["region_first"] == rows[0]["region_last"] == 3


def test_what_is_not_balanced_is_said():
    assert balance_note(24, 40, 4) == ""
    assert (
        balance_note(24, 42, 4) == "42 items in 4 conditions: within a list some conditions have an item more"
    )

"""The six measures of a scanpath under both conventions, on cases worked out by hand."""

from __future__ import annotations

import pytest

from scandl.errors import ScandlError
from scandl.measures.scanpath_measures import scanpath_measures


def test_words_convention_by_hand() -> None:
    # Four words; 2 is fixated twice, then 1, then 3; word 0 is skipped.
    assert scanpath_measures([2, 2, 1, 3], n_words=4) == {
        "first_pass_count": 4 / 4,
        "fixation_count": 4 / 4,
        "skipping_rate": 2 / 4,  # words 0 and 1
        "regression_rate": 1 / 4,  # word 2
        "progressive_length": 2.0,  # 1 → 3
        "regressive_length": 1.0,  # 2 → 1
    }


def test_scandl_convention_counts_cls_and_sep() -> None:
    # The same as symbols: CLS 0, words 1..4, SEP 5: 0 3 3 2 4 5, six positions.
    assert scanpath_measures([2, 2, 1, 3], n_words=4, convention="scandl") == {
        "first_pass_count": 6 / 6,
        "fixation_count": 6 / 6,
        "skipping_rate": 2 / 6,
        "regression_rate": 1 / 6,
        "progressive_length": (3 + 2 + 1) / 3,
        "regressive_length": 1.0,
    }


def test_an_empty_path_still_has_cls_and_sep() -> None:
    assert scanpath_measures([], 3)["skipping_rate"] == 1.0
    assert scanpath_measures([], 3)["progressive_length"] == 0.0
    with_frame = scanpath_measures([], 3, "scandl")
    assert with_frame["skipping_rate"] == 3 / 5
    assert with_frame["progressive_length"] == 4.0
    assert with_frame["regressive_length"] == 0.0


def test_unknown_convention() -> None:
    with pytest.raises(ScandlError, match="no convention 'word'; did you mean 'words'"):
        scanpath_measures([0], 1, "word")

"""What is printed agrees with itself: stars with r and n where n is known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import t

from scandl_analysis.behaviour.pearson import stars
from scandl_analysis.published_numbers import published_correlations, published_measures

READERS = {"CELER": 69, "ZuCo": 12}


@pytest.mark.parametrize("corpus", READERS)
def test_printed_stars_follow_from_r_and_the_number_of_readers(corpus: str) -> None:
    """A printed r is rounded, so its p lies between those of the two ends of its rounding."""
    n = READERS[corpus]
    for row in published_correlations("nr"):
        if row.kind == "reader" and row.corpus == corpus:
            ends = [min(1 - 1e-9, abs(abs(row.r) + d)) for d in (-0.005, 0.005)]
            marks = {stars(2 * t.sf(r * np.sqrt((n - 2) / (1 - r * r)), n - 2)) for r in ends}
            assert row.stars in marks, row


def test_measures_are_complete() -> None:
    keys = {(row.measure, row.corpus, row.source) for row in published_measures("nr")}
    assert len(keys) == len(published_measures("nr")) == 6 * 2 * 2

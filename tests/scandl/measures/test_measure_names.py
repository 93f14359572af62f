"""The names of other tools lead to ours, and the documentation prints the same table."""

from __future__ import annotations

from dataclasses import astuple
from pathlib import Path

import pytest

from scandl.errors import ScandlError
from scandl.measures.measure_names import SYNONYMS, our_name
from scandl.measures.word_measures import NAMES, TIME_MEASURES

DOCS = Path(__file__).parents[3] / "docs" / "measures.md"


def test_every_measure_is_in_the_table_once() -> None:
    ours = [row.ours for row in SYNONYMS]
    computed = {*NAMES, *TIME_MEASURES} - {"FPF", "FPFC", "FPReg"}  # these stand beside sr, ffc, fpr
    assert sorted(ours) == sorted(computed)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("FPReg", "fpr"),
        ("n_firstpass_count", "ffc"),
        ("IA_REGRESSION_PATH_DURATION", "RPD_inc"),
        ("firstrun.dur", "FPRT"),
        ("total_fixation_ms", "TFT"),
        ("TFC", "tfc"),
    ],
)
def test_names_of_other_tools(theirs: str, ours: str) -> None:
    assert our_name(theirs) == ours


def test_an_unknown_name_is_an_error() -> None:
    with pytest.raises(ScandlError, match="no reading measure 'IA_DWELL'; did you mean 'IA_DWELL_TIME'"):
        our_name("IA_DWELL")
    with pytest.raises(ScandlError, match="no reading measure ''"):
        our_name("")


def test_the_documentation_prints_this_table() -> None:
    text = DOCS.read_text(encoding="utf-8")
    for row in SYNONYMS:
        assert f"| {' | '.join(cell or '–' for cell in astuple(row))} |" in text

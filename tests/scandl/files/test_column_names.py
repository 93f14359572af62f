"""Column names of other tools."""

from __future__ import annotations

from pathlib import Path

import pytest

from scandl.errors import DataError
from scandl.files.column_names import find_column

FILE = Path("report.csv")


@pytest.mark.parametrize(
    ("header", "meaning", "expected"),
    [
        (["RECORDING_SESSION_LABEL", "x"], "reader_id", "RECORDING_SESSION_LABEL"),
        (["Recording Session Label"], "reader_id", "Recording Session Label"),
        (["participant", "reader_id"], "reader_id", "reader_id"),
        (["CURRENT_FIX_INTEREST_AREA_ID"], "word_index", "CURRENT_FIX_INTEREST_AREA_ID"),
        (["x"], "duration_ms", None),
    ],
)
def test_other_tools_names_are_known(header: list[str], meaning: str, expected: str | None) -> None:
    assert find_column(FILE, header, meaning) == expected


def test_two_candidates_ask_for_the_users_word() -> None:
    header = ["trial_id", "TRIAL_INDEX"]
    with pytest.raises(
        DataError,
        match=r"report.csv:1: column 'sentence_id': found two candidates, trial_id and TRIAL_INDEX, expected one \(call it 'sentence_id', or --column sentence_id=trial_id\)",
    ):
        find_column(FILE, header, "sentence_id")
    assert find_column(FILE, header, "sentence_id", chosen="TRIAL_INDEX") == "TRIAL_INDEX"
    with pytest.raises(DataError, match="column 'trial'"):
        find_column(FILE, header, "sentence_id", chosen="trial")

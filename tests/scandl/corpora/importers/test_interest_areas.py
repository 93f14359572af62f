"""Interest areas: every fault of a row is named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from scandl.corpora.importers import import_dataviewer
from scandl.errors import DataError

Write = Callable[..., Path]

FIX = (
    "RECORDING_SESSION_LABEL sentenceid CURRENT_FIX_INDEX CURRENT_FIX_INTEREST_AREA_ID "
    "CURRENT_FIX_INTEREST_AREA_LABEL CURRENT_FIX_DURATION"
)

AREAS = "RECORDING_SESSION_LABEL sentenceid IA_ID IA_LABEL"

FIX_ROWS = [
    ("r1", "s1", 2, 3, "sat.", 180),  # not in order of time
    ("r1", "s1", 1, 1, "The", 200),
    ("r1", "s1", 3, ".", ".", 50),
]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("r1", "s1", 1, "ice cream")], "found 'ice cream', expected an interest area of one word"),
        ([("r1", "s1", 1, "")], "found '', expected an interest area of one word, without spaces"),
        (
            [("r1", "s1", 1, "a"), ("r1", "s1", 3, "b")],
            "a.tsv:3: column 'IA_ID': found area 3 after area 1 of the trial, expected consecutive numbers",
        ),
        ([("r1", "s1", 1, "a"), ("r1", "s1", 1, "b")], "found area 1 after area 1 of the trial"),
        (
            [("r1", "s1", 1, "a"), ("r2", "s1", 1, "b")],
            "a.tsv:3: column 'IA_LABEL': found other words for sentence 's1' than another reader has, "
            "expected the same words for every reader (a trial number is not a sentence_id",
        ),
        (
            [("r1", "s1", 1, "a"), ("r1", "s1", 2, "b"), ("r2", "s1", 1, "a")],
            "a.tsv:4: column 'IA_LABEL': found other words for sentence 's1'",
        ),
        (
            [("r1", "s1", 1, "a"), ("r2", "s1", 1, "a"), ("r2", "s1", 2, "b")],
            "column 'IA_LABEL': found other words for sentence 's1'",
        ),
    ],
)
def test_faulty_areas_are_named(write: Write, rows: list[tuple[object, ...]], message: str) -> None:
    with pytest.raises(DataError) as caught:
        import_dataviewer(write("f.tsv", FIX, FIX_ROWS), write("a.tsv", AREAS, rows))
    assert message in str(caught.value)

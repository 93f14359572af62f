"""The released code's JSON: its human paths are data, and no repair may change them unseen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scandl.errors import DataError
from scandl.files.prediction_files import read_predictions

SOUND = {
    "predicted_sp_ids": [0, 1, 2, 4],
    "original_sp_ids": [0, 1, 3, 4, 127],
    "original_sn": "[CLS] The cat sat. [SEP]",
    "sn_ids": "s1",
    "reader_ids": 7,
}


def save(folder: Path, **changes: object) -> Path:
    path = folder / "out.json"
    path.write_text(json.dumps({name: [value] for name, value in (SOUND | changes).items()}))
    return path


FAULTS = {
    "a list of tokens": (
        {"original_sn": ["[CLS]", "The", "cat", "sat.", "[SEP]"]},
        "out.json:1: column 'original_sn': found \"['[CLS]', 'The', 'cat', 'sat.', '[SEP]']\", expected the sentence as text",
    ),
    "no sentence": ({"original_sn": None}, "column 'original_sn': found 'None', expected the sentence as text"),
    "an empty sentence": ({"original_sn": ""}, "column 'original_sn': found '', expected the sentence as text"),
    "another sentence": (
        {"original_sn": "The cat."},
        "column 'original_sp_ids': found '[0, 1, 3, 4, 127]', expected 0, words 1 to 2, 3, and 127 to the end (after SEP)",
    ),
    "a human path without CLS": (
        {"original_sp_ids": [1, 3, 4]},
        "column 'original_sp_ids': found '[1, 3, 4]', expected 0, words 1 to 3, 4, and 127 to the end (no CLS)",
    ),
    "a human path of huge numbers": (
        {"original_sp_ids": [0, 2**61 - 1, 4]},
        "column 'original_sp_ids': found '[0, 2305843009213693951, 4]', expected a list of whole numbers from 0",
    ),
    "no sentence id": (
        {"sn_ids": None},
        "column 'sn_ids': found 'None', expected an identifier without line breaks",
    ),
    "a control character": (
        {"original_sn": "The \x00cat sat."},
        "column 'original_sn': found 'The \\x00cat sat.', expected text without control characters",
    ),
    "a reader with a line break": (
        {"reader_ids": "r\n1"},
        "column 'reader_ids': found 'r\\n1', expected an identifier without line breaks",
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_what_would_change_the_human_path_is_a_fault(tmp_path: Path, fault: str) -> None:
    changes, message = FAULTS[fault]
    with pytest.raises(DataError) as caught:
        read_predictions(save(tmp_path, **changes))
    assert message in str(caught.value)


def test_numbers_are_identifiers_and_a_human_path_may_be_empty(tmp_path: Path) -> None:
    (found,) = read_predictions(save(tmp_path, sn_ids=12, reader_ids=3.0, original_sp_ids=[0, 4]))
    assert (found.sentence_id, found.reader_id, found.human) == ("12", "3", ())

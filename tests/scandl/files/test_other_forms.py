"""The JSON of the released code: ids to positions and back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scandl.errors import DataError, ScandlError
from scandl.files.prediction_files import read_predictions, write_predictions
from scandl.files.tables import Problems
from scandl.records import Prediction

TEXT = "The cat sat on the mat."


def write(folder: Path, text: str, name: str = "preds.csv") -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def test_json_of_the_released_code_loses_its_specials(tmp_path: Path) -> None:
    lists = {
        "predicted_sp_ids": [[0, 1, 3, 2, 7, 127, 127], [127]],
        "original_sp_ids": [[0, 2, 2, 7], [0, 1, 7]],
        "original_sn": [f"[CLS] {TEXT} [SEP]"] * 2,
        "sn_ids": ["s1", "s1"],
        "reader_ids": [4, 5],
    }
    path = write(tmp_path, json.dumps(lists), "out.json")
    first, empty = read_predictions(path)
    assert (first.predicted, first.human, first.reader_id, first.text) == ((0, 2, 1), (1, 1), "4", TEXT)
    assert first.raw == (0, 1, 3, 2, 7, 127, 127)
    assert empty.predicted == ()


def test_json_ids_must_be_whole_numbers_and_a_reader_may_lack(tmp_path: Path) -> None:
    lists = {
        "predicted_sp_ids": ["012", [0, 1.7], [0, 1, 7], [0, 1, 7]],
        "original_sp_ids": [[0, 2, 7], [0, 2, 7], None, [0, 2, 7]],
        "original_sn": [f"[CLS] {TEXT} [SEP]"] * 4,
        "sn_ids": ["s1", "s2", "s3", "s4"],
        "reader_ids": [1, 1, 1, None],
    }
    problems = Problems()
    (sound,) = read_predictions(write(tmp_path, json.dumps(lists), "out.json"), problems=problems)
    assert (sound.sentence_id, sound.reader_id) == ("s4", None)
    assert [(error.row, error.column) for error in problems.errors] == [
        (1, "predicted_sp_ids"),
        (2, "predicted_sp_ids"),
        (3, "original_sp_ids"),
    ]
    assert "found '[0, 1.7]', expected a list of whole numbers from 0" in str(problems.errors[1])


def test_json_needs_text_and_human(tmp_path: Path) -> None:
    with pytest.raises(ScandlError, match="sentence 's1' lacks text or human path"):
        write_predictions(tmp_path / "x.json", [Prediction("s1", (0,))])
    assert not list(tmp_path.iterdir())


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
    "no sentence": (
        {"original_sn": None},
        "column 'original_sn': found 'None', expected the sentence as text",
    ),
    "an empty sentence": (
        {"original_sn": ""},
        "column 'original_sn': found '', expected the sentence as text",
    ),
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
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_would_change_the_human_path_is_a_fault(tmp_path: Path, fault: str) -> None:
    changes, message = FAULTS[fault]
    with pytest.raises(DataError) as caught:
        read_predictions(save(tmp_path, **changes))
    assert message in str(caught.value)


def test_numbers_are_identifiers_and_a_human_path_may_be_empty(tmp_path: Path) -> None:
    (found,) = read_predictions(save(tmp_path, sn_ids=12, reader_ids=3.0, original_sp_ids=[0, 4]))
    assert (found.sentence_id, found.reader_id, found.human) == ("12", "3", ())


def test_long_form_is_gathered_from_rows_in_any_order(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "Participant ID,trial_id,fix_order,word_id,duration,model\n"
        "r1,s1,2,3,150,m\nr2,s1,0,4,90,m\nr1,s1,1,0,200,m\n",
    )
    assert read_predictions(path) == [
        Prediction("s1", (0, 3), None, "r1", "m", durations=(200.0, 150.0)),
        Prediction("s1", (4,), None, "r2", "m", durations=(90.0,)),
    ]

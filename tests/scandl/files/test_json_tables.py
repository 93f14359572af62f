"""Predictions as JSON records, columns and lines, under the user's own names."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from scandl.errors import DataError
from scandl.files.prediction_columns import FileWithColumns
from scandl.files.prediction_files import read_numbered, read_predictions

FRAME = pd.DataFrame(
    {"reader_id": ["a", "b"], "sentence_id": [1, 2], "predicted": [[0, 1, 1], []], "human": [[0], [0, 2]]}
)


def expected(folder: Path) -> list[tuple[object, ...]]:
    """Return what the CSV of the same frame gives."""
    FRAME.to_csv(folder / "mine.csv", index=False)
    return [(p.reader_id, p.sentence_id, p.predicted, p.human) for p in read_predictions(folder / "mine.csv")]


@pytest.mark.parametrize(
    ("ending", "form"),
    [
        (".json", {"orient": "records"}),
        (".json", {}),
        (".jsonl", {"orient": "records", "lines": True}),
        (".ndjson", {"orient": "records", "lines": True}),
    ],
)
def test_every_form_of_pandas_gives_what_csv_gives(tmp_path: Path, ending: str, form: dict[str, str]) -> None:
    path = tmp_path / f"mine{ending}"
    FRAME.to_json(path, **form)
    found = [(p.reader_id, p.sentence_id, p.predicted, p.human) for p in read_predictions(path)]
    assert found == expected(tmp_path) == [("a", "1", (0, 1, 1), (0,)), ("b", "2", (), (0, 2))]


def test_values_belong_together_by_their_labels(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    columns = json.loads(FRAME.to_json())
    path.write_text(json.dumps(columns | {"predicted": dict(reversed(columns["predicted"].items()))}))
    found = [(p.reader_id, p.sentence_id, p.predicted, p.human) for p in read_predictions(path)]
    assert found == expected(tmp_path)


def test_the_users_names_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text('{"sid": "s1", "path": [0, 2]}\n\n{"sid": "s2", "path": [1]}\n')
    file = FileWithColumns(path, {"predicted": "path", "sentence_id": "sid"})
    assert [(line, p.sentence_id, p.predicted) for line, p in read_numbered(file)] == [
        (1, "s1", (0, 2)),
        (3, "s2", (1,)),
    ]


FAULTS = {
    "broken": (
        "mine.json",
        "[",
        "mine.json: found broken JSON (Expecting value: line 1 column 2 (char 1)), expected JSON: a list",
    ),
    "broken line": (
        "mine.jsonl",
        '{"sentence_id": 1, "predicted": [0]}\n{',
        "mine.jsonl:2: found broken JSON",
    ),
    "a number": ("mine.json", "3", "mine.json: found a number, expected JSON: a list of records"),
    "no record": (
        "mine.json",
        '[{"sentence_id": 1, "predicted": [0]}, 3]',
        "mine.json:2: found '3', expected a record, {column: value}",
    ),
    "other labels": (
        "mine.json",
        '{"sentence_id": {"0": 1, "1": 2}, "predicted": {"1": [0], "2": [0]}}',
        "mine.json: column 'predicted': found row labels that not all columns have: 0, 2, expected the same",
    ),
    "labels beside lists": (
        "mine.json",
        '{"sentence_id": {"0": 1}, "predicted": [[0]]}',
        "mine.json: column 'predicted': found '[[0]]', expected values by row label, as other columns have",
    ),
    "one name twice": (
        "mine.jsonl",
        '{"sentence_id": 1, "predicted": [0]}\n{"sentence_id": 1, "predicted": [0], "predicted": [1]}',
        "mine.jsonl:2: column 'predicted': found two values of this name, expected one",
    ),
    "one label twice": (
        "mine.json",
        '{"sentence_id": {"0": 1}, "predicted": {"0": [0], "0": [1]}}',
        "mine.json: column '0': found two values of this name, expected one",
    ),
    "unequal columns": (
        "mine.json",
        '{"sentence_id": [1, 2], "predicted": [[0]]}',
        "mine.json: column 'predicted': found 1 entries, expected 2 as in sentence_id",
    ),
    "no list": (
        "mine.json",
        '{"sentence_id": [1], "predicted": 3}',
        "column 'predicted': found '3', expected a list of values",
    ),
    "an object": (
        "mine.json",
        '[{"sentence_id": 1, "predicted": {"0": 1}}]',
        "mine.json:1: column 'predicted': found \"{'0': 1}\", expected a value or a list",
    ),
    "a list in a list": (
        "mine.json",
        '[{"sentence_id": 1, "predicted": [[0, 1]]}, {"sentence_id": 2, "predicted": [[0], [1]]}]',
        "mine.json:2: column 'predicted': found '[0] [1]', expected word positions",
    ),
    "null beside paths": (
        "mine.json",
        '[{"sentence_id": 1, "predicted": [0], "human": [0]}, {"sentence_id": 2, "human": [0]}]',
        "mine.json:2: column 'predicted': found nothing, expected a path such as [0, 1], [] if it is empty",
    ),
    "half a character": (
        "mine.json",
        '[{"sentence_id": "\\ud800", "predicted": [0]}]',
        "mine.json: found half a character (a lone surrogate), expected text that can be written",
    ),
    "deep": (
        "mine.json",
        "[" * 100_000 + "]" * 100_000,
        "mine.json: found lists nested too deeply, expected JSON",
    ),
    "digits": (
        "mine.json",
        '[{"sentence_id": 1, "predicted": [' + "9" * 5000 + "]}]",
        "mine.json: found a number of thousands of digits, expected JSON",
    ),
    "400 digits": (
        "mine.json",
        '[{"sentence_id": 1, "predicted": [' + "9" * 400 + "]}]",
        "mine.json:1: column 'predicted': found '9999",
    ),
    "a control character": (
        "mine.json",
        '[{"sentence_id": "s\\u0000", "predicted": [0]}]',
        "mine.json:1: column 'sentence_id': found 's\\x00', expected an identifier without line breaks",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_one_line(tmp_path: Path, fault: str) -> None:
    name, text, message = FAULTS[fault]
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(DataError) as caught:
        read_predictions(path)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 500


def test_a_column_of_nulls_is_no_column(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps([{"sentence_id": "s", "predicted": [0], "human": None}]))
    assert read_predictions(path)[0].human is None

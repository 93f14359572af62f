"""Positions from 0 or from 1: the user's word, what a file says of itself, and when to ask."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import DataError, ScandlError
from scandl.files.prediction_files import read_predictions, write_predictions
from scandl.files.prediction_inputs import as_predictions
from scandl.records import Prediction

DEMO = open_corpus("demo")
PREDICTIONS = [
    Prediction(
        path.sentence_id,
        path.positions[1:],
        human=path.positions,
        reader_id=path.reader_id,
        model="mine",
        text=DEMO.sentences[path.sentence_id].text,
    )
    for path in DEMO.by_sentence["s01"]
]


def shifted(positions: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(position + 1 for position in positions)


def from_one(p: Prediction, *, human: bool = True) -> Prediction:
    """Return a prediction as a file that counts from 1 has it."""
    return replace(p, predicted=shifted(p.predicted), human=shifted(p.human or ()) if human else p.human)


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".jsonl"])
def test_both_columns_count_from_what_was_said(tmp_path: Path, suffix: str) -> None:
    ours, other = tmp_path / f"ours{suffix}", tmp_path / f"other{suffix}"
    write_predictions(ours, PREDICTIONS)
    write_predictions(other, [from_one(p) for p in PREDICTIONS])
    assert read_predictions(other, index_base=1) == read_predictions(ours, index_base=0) == PREDICTIONS


def test_a_frame_records_and_the_long_form_too(tmp_path: Path) -> None:
    moved = [from_one(p) for p in PREDICTIONS]
    assert as_predictions(moved, DEMO, index_base=1) == PREDICTIONS
    frame = pd.DataFrame({"sentence_id": ["s"], "predicted": [[1, 3]], "human": [[2]]})
    assert [(p.predicted, p.human) for p in as_predictions(frame, index_base=1)] == [((0, 2), (1,))]
    long = tmp_path / "long.csv"
    long.write_text("reader_id,sentence_id,fixation_index,IA_ID\nr,s,0,1\nr,s,1,3\n")
    with pytest.raises(DataError, match=r"say what they count from \(--index-base 0 or 1\)"):
        read_predictions(long)
    assert [read_predictions(long, index_base=base)[0].predicted for base in (0, 1)] == [(1, 3), (0, 2)]


def test_human_paths_that_contain_0_stay(tmp_path: Path) -> None:
    path = tmp_path / "mixed.csv"
    write_predictions(path, [from_one(p, human=False) for p in PREDICTIONS])
    with pytest.warns(UserWarning, match="mixed.csv: human paths contain 0, so that only predictions count"):
        assert read_predictions(path, index_base=1) == PREDICTIONS


def test_a_prediction_with_0_does_not_count_from_1(tmp_path: Path) -> None:
    path = tmp_path / "zero.csv"
    path.write_text("sentence_id,predicted,human\ns,1 2,1\ns,0 1,1\n")
    with pytest.raises(
        DataError, match="zero.csv:3: column 'predicted': found '0 1', expected positions from 1"
    ):
        read_predictions(path, index_base=1)


def test_faults_are_told_as_the_file_has_them() -> None:
    too_far = {"sentence_id": ["s"], "predicted": ["1 3"], "text": ["two words"]}
    with pytest.raises(DataError, match=r"found '1 3', expected positions 1..2, the sentence has 2 words$"):
        as_predictions(pd.DataFrame(too_far), index_base=1)
    with pytest.raises(DataError, match=r"positions 0..1, the sentence has 2 words$"):
        as_predictions(pd.DataFrame(too_far), index_base=0)
    by_one = pd.DataFrame(too_far | {"predicted": ["1 2"]})
    with pytest.raises(DataError, match=r"has 2 words; does this file count from 1\? --index-base 1$"):
        as_predictions(by_one)
    with pytest.raises(ScandlError, match="index base 2: expected 0 or 1"):
        as_predictions(by_one, index_base=2)


@pytest.mark.parametrize("beside", ["file", "corpus"])
def test_a_model_without_any_0_beside_people_who_have_some_is_named(tmp_path: Path, beside: str) -> None:
    path = tmp_path / "preds.csv"
    humans = sum(0 in path.positions for path in DEMO.by_sentence["s01"])
    assert 0 < humans <= len(PREDICTIONS)
    suspect = [replace(p, predicted=(1, 2), human=p.human if beside == "file" else None) for p in PREDICTIONS]
    sound = [replace(p, predicted=(0, 1), model="other") for p in suspect]
    write_predictions(path, [*suspect, *sound])
    corpus = DEMO if beside == "corpus" else None
    with pytest.warns(UserWarning, match="position 0") as raised:
        read_predictions(path, corpus=corpus)
    n = len(PREDICTIONS)
    assert [str(each.message) for each in raised] == [
        f"{path}: position 0 is in none of {n} predictions of mine but in {humans} of {n} human scanpaths: if "
        "predictions count from 1, give --index-base 1, if from 0 --index-base 0"
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_predictions(path, corpus=corpus, index_base=0)

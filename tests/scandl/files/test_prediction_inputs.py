"""Predictions in any form: the same records and the same sentences as from a file."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from scandl.corpora import Card, Corpus
from scandl.errors import DataError, ScandlError
from scandl.files.prediction_files import read_predictions
from scandl.files.prediction_inputs import RowError, as_predictions
from scandl.records import Prediction, Scanpath, Sentence

TEXT = "The cat sat on the mat."
CORPUS = Corpus(Card(name="tiny"), {"s1": Sentence("s1", TEXT)}, (Scanpath("r1", "s1", (0, 1, 2)),))
WIDE = (
    "model,setting,fold,reader_id,sentence_id,sample,predicted,human,durations,log_prob,colour\n"
    "m,ns,1,007,s1,2,0 1,1 0,200 180.5,-3.25,red\nm,ns,1,008,s1,0,,1,,-inf,\n"
)
LONG = "Participant ID,trial_id,fix_order,word_id,duration,model\nr1,s1,2,3,150,m\nr2,s1,0,4,90,m\nr1,s1,1,0,200,m\n"


def file(folder: Path, text: str, name: str = "preds.csv") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)
    return folder / name


@pytest.mark.parametrize("text", [WIDE, LONG], ids=["wide", "long"])
@pytest.mark.parametrize("kinds", [{"dtype": str}, {"dtype": str, "keep_default_na": False}, {}])
def test_a_frame_is_read_like_its_file(text: str, kinds: dict[str, object], tmp_path: Path) -> None:
    """Also with what pandas makes of numbers and gaps, except that it takes zeros from identifiers."""
    path = file(tmp_path, text)
    expected = read_predictions(path)
    frame = pd.read_csv(path, **kinds)  # type: ignore[call-overload]
    if not kinds and "reader_id" in frame:
        frame["reader_id"] = ["007", "008"]
    assert as_predictions(frame) == as_predictions(path) == as_predictions(str(path)) == expected


@pytest.mark.parametrize(
    "cell", [[0, 1, 3], (0, 1, 3), np.array([0, 1, 3]), np.array([0.0, 1.0, 3.0]), "0 1 3"]
)
def test_paths_may_be_lists(cell: object) -> None:
    frame = pd.DataFrame({"sentence_id": [7], "predicted": [cell]})
    assert as_predictions(frame) == [Prediction("7", (0, 1, 3), model="DataFrame")]


def test_a_named_index_is_a_column() -> None:
    frame = pd.DataFrame({"sentence_id": ["s1"], "reader_id": ["r1"], "predicted": ["0"]})
    indexed = frame.set_index(["reader_id", "sentence_id"])
    assert as_predictions(indexed) == as_predictions(frame)


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        (
            {"sentence_id": ["s1", "s1"], "predicted": ["0", "0 x"], "reader_id": ["a", "b"]},
            "DataFrame row 1: column 'predicted': found '0 x', expected word positions such as '0 1 1 3'",
        ),
        (
            {"sentence_id": ["s1"], "predicted": [[0, 6]]},
            "DataFrame row 0: column 'predicted': found '0 6', expected positions 0..5, the sentence has 6 words;"
            " does this file count from 1? --index-base 1",
        ),
        (
            {"sentence_id": ["s1"], "predicted": [[0, -1]]},
            "DataFrame row 0: column 'predicted': found '0 -1', expected word positions such as '0 1 1 3'",
        ),
        (
            {"sentence_id": ["s9"], "predicted": ["0"]},
            "DataFrame row 0: column 'sentence_id': found 's9', expected a sentence of corpus 'tiny'",
        ),
        (
            {"predicted": ["0"]},
            "DataFrame: column 'sentence_id': found only the columns predicted, expected a column of this name",
        ),
        (
            {"sentence_id": ["s1"], "path": ["0"]},
            "DataFrame: column 'predicted': found only the columns sentence_id, path, expected a column 'predicted'"
            " (one row per scanpath) or 'word_index' (one row per fixation)",
        ),
        (
            {"sentence_id": ["s1"] * 2, "fixation_index": [0, 1], "word_index": [0, None]},
            "DataFrame row 1: column 'word_index': found '', expected a word position from 0",
        ),
        (
            {"sentence_id": ["s1"], "fix_order": [0], "word_id": [1]},
            "DataFrame: column 'word_id': found no position 0, so that they may count from 1, expected positions"
            " from 0; say what they count from (--index-base 0 or 1)",
        ),
        ({"sentence_id": [], "predicted": []}, "DataFrame: found no predictions, expected at least one row"),
    ],
)
def test_faults_of_a_frame(columns: dict[str, list[object]], expected: str) -> None:
    with pytest.raises(DataError) as caught:
        as_predictions(pd.DataFrame(columns), CORPUS)
    assert str(caught.value) == expected
    assert str(pickle.loads(pickle.dumps(caught.value))) == expected  # it may come from a worker


def test_two_columns_of_one_name() -> None:
    frame = pd.DataFrame([["s1", "0", "1"]], columns=["sentence_id", "predicted", "predicted"])
    with pytest.raises(
        DataError, match="DataFrame: column 'predicted': found two columns of this name, expected one"
    ):
        as_predictions(frame)


def test_records_are_checked_too() -> None:
    good = Prediction("s1", (0, 5), reader_id="r1")
    assert as_predictions(good, CORPUS) == as_predictions([good], CORPUS) == [good]
    with pytest.raises(
        RowError, match=r"^record 1: column 'predicted': found '6', expected positions 0\.\.5"
    ):
        as_predictions([good, Prediction("s1", (6,))], CORPUS)
    with pytest.raises(
        RowError, match="record 1: column 'sentence_id': found reader 'r1', sentence 's1', sample 0 a"
    ):
        as_predictions([good, good])
    with pytest.raises(RowError, match="column 'model': found 'Human', expected another name"):
        as_predictions(Prediction("s1", (0,), model="Human"))


def test_scanpaths_are_samples_of_a_model() -> None:
    paths = [Scanpath("", "t1", (0,), text=TEXT), Scanpath("", "t1", (1,), text=TEXT)]
    assert as_predictions(paths) == [
        Prediction("t1", (0,), text=TEXT),
        Prediction("t1", (1,), sample=1, text=TEXT),
    ]


def test_several_sources_are_told_apart(tmp_path: Path) -> None:
    files = [file(tmp_path / folder, "reader_id,sentence_id,predicted\nr1,s1,0\n") for folder in "ab"]
    frame = pd.read_csv(files[0])
    assert [p.model for p in as_predictions(files)] == [str(path) for path in files]
    assert [p.model for p in as_predictions([frame, frame])] == ["DataFrame 1", "DataFrame 2"]
    named = {"mine": frame, "theirs": files[1], "third": [Scanpath("r1", "s1", (0,))]}
    assert [p.model for p in as_predictions(named)] == ["mine", "theirs", "third"]
    own = frame.assign(model="own")
    assert [p.model for p in as_predictions({"mine": own})] == ["own"]  # a column goes before the key


def test_a_prediction_counts_once(tmp_path: Path) -> None:
    table = "reader_id,sentence_id,predicted,model\nr1,s1,0,m\n"
    one, two = (file(tmp_path, table, name) for name in ("one.csv", "two.csv"))
    with pytest.raises(DataError) as caught:
        as_predictions([one, two])
    assert str(caught.value) == (
        f"{two}: column 'model': found sentence 's1' of reader 'r1', sample 0, that {one} has too,"
        " expected each once, or another model name"
    )


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (3, "predictions: found int, expected a DataFrame, a file, records, or a list"),
        ([], "predictions: found none, expected a DataFrame, a file or records"),
        ("none.csv", "none.csv: found no file, expected a CSV or Parquet file"),
    ],
)
def test_what_is_no_source(source: object, expected: str) -> None:
    with pytest.raises(ScandlError) as caught:
        as_predictions(source)  # type: ignore[arg-type]
    assert str(caught.value) == expected

"""Records as tables: every fixation is a row, and what is written can be read back as it was."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from scandl.corpora import Card, Corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import ScandlError
from scandl.files.prediction_files import read_predictions, write_predictions
from scandl.files.prediction_inputs import as_predictions
from scandl.frames import to_frame
from scandl.records import Prediction, Scanpath, Sentence

TEXT = "The cat sat on the mat."


def test_a_corpus_has_a_row_per_fixation() -> None:
    """Held against the file of the corpus, read by another program."""
    frame = open_corpus("demo").to_frame()
    file = pd.read_csv(Path(str(open_corpus("demo").folder)) / "fixations.csv")
    assert list(frame.columns) == [
        "reader_id",
        "sentence_id",
        "fixation_index",
        "word_index",
        "duration_ms",
        "word",
    ]
    keys = ["reader_id", "sentence_id", "fixation_index"]
    for column in ("word_index", "duration_ms"):
        merged = frame.merge(file, on=keys, validate="one_to_one")
        assert len(merged) == len(frame) == len(file)
        assert (merged[f"{column}_x"] == merged[f"{column}_y"]).all()


def test_durations_and_words_are_columns_only_where_all_have_them() -> None:
    sentence = Sentence("s1", TEXT)
    paths = (Scanpath("r1", "s1", (0, 5), (200.0, 180.0)), Scanpath("r2", "s1", (1,)))
    frame = Corpus(Card(name="c"), {"s1": sentence}, paths).to_frame()
    assert frame["word"].tolist() == ["The", "mat.", "cat"]
    assert "duration_ms" not in frame
    assert "word" not in to_frame(paths)


def test_empty_paths_and_no_paths() -> None:
    assert to_frame([Scanpath("r1", "s1", ()), Scanpath("r1", "s2", (3,))])["word_index"].tolist() == [3]
    assert len(to_frame([])) == 0


def test_scanpaths_come_back_as_predictions() -> None:
    paths = [Scanpath("", "t1", (0, 2, 1), text=TEXT), Scanpath("", "t1", (0,), text=TEXT)]
    back = as_predictions(to_frame(paths))
    assert [(p.sentence_id, p.sample, p.predicted) for p in back] == [("t1", 0, (0, 2, 1)), ("t1", 1, (0,))]


def test_the_table_of_predictions_is_the_file_of_predictions(tmp_path: Path) -> None:
    predictions = [
        Prediction(
            "s1", (0, 1), (0, 2), "r1", "m", "ns", "1", 2, TEXT, (200.0, 180.5), -3.25, None, {"x": "y"}
        ),
        Prediction("s1", (), (1,), "r2", "m", "ns", "1", 0, TEXT, (), None, None, {"x": ""}),
    ]
    predictions[1] = Prediction(
        "s1", (4,), (1,), "r2", "m", "ns", "1", 0, TEXT, (90.0,), -1.0, None, {"x": "z"}
    )
    frame = to_frame(predictions)
    assert as_predictions(frame) == predictions
    write_predictions(tmp_path / "ours.csv", predictions)
    frame.to_csv(tmp_path / "theirs.csv", index=False)
    assert read_predictions(tmp_path / "theirs.csv") == read_predictions(tmp_path / "ours.csv") == predictions


def test_what_cannot_be_a_table() -> None:
    with pytest.raises(
        ScandlError, match="to_frame: found Prediction, Scanpath, expected a corpus, scanpaths or"
    ):
        to_frame([Scanpath("r", "s", ()), Prediction("s", ())])  # type: ignore[list-item]


def test_no_human_path_is_not_an_empty_one() -> None:
    records = [Prediction("s", (), human=()), Prediction("t", ())]
    assert to_frame(records)["human"].tolist() == ["[]", ""]
    assert as_predictions(to_frame(records)) == records

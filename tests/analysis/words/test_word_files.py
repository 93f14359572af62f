"""Tables on disk with the note of how they were made."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from scandl.corpora import Corpus, write_corpus
from scandl.errors import ScandlError
from scandl.files.prediction_files import write_predictions
from scandl.files.tables import read_table
from scandl.records import Prediction
from scandl_analysis.words.word_files import mean_lines, write_frame, write_measures, write_predictors


@pytest.fixture
def folder(small_corpus: Corpus, tmp_path: Path) -> Path:
    write_corpus(small_corpus, tmp_path / "small")
    return tmp_path / "small"


@pytest.fixture
def pred(tmp_path: Path) -> Path:
    rows = [Prediction("s1", (0, 3), human=(0, 1), reader_id="r1", model="m", text="The old dog slept.")]
    write_predictions(tmp_path / "preds.csv", rows)
    return tmp_path / "preds.csv"


def test_corpus_and_predictions_in_one_table(folder: Path, pred: Path, tmp_path: Path) -> None:
    written = write_measures(tmp_path / "words.csv", corpus=folder, pred=pred, variant="firstpass")
    table = read_table(written.path)
    assert table.columns["source"] == ["human"] * 8 + ["m"] * 4
    assert table.columns["sr"][8:] == ["0", "1", "1", "0"]
    assert table.columns["fpr"][8:] == ["0", "", "", "0"]
    assert table.columns["FPRT"][:4] == ["200", "", "100", "90"]
    made = json.loads((tmp_path / "words.csv.json").read_text())
    assert made["settings"] == {"measures": {"variant": "firstpass"}}
    assert set(made["provenance"]["inputs"]) == {str(folder), str(pred)}


def test_predictions_alone_bring_their_humans(pred: Path, tmp_path: Path) -> None:
    written = write_measures(tmp_path / "words.csv", pred=pred)
    assert written.frame["source"].tolist() == ["human"] * 4 + ["m"] * 4
    assert written.notes == ("source 'human': the paths that stand beside the predictions in the file",)
    assert mean_lines(written.frame)[0].startswith("human: sr 0.5000 ± nan, fpr 0.0000")


def test_per_scanpath(folder: Path, tmp_path: Path) -> None:
    written = write_measures(
        tmp_path / "paths.parquet", corpus=folder, per_scanpath=True, convention="scandl"
    )
    frame = pd.read_parquet(written.path)
    assert frame["n_fixations"].tolist() == [5, 3]
    assert frame["fixation_count"].tolist() == [7 / 6, 5 / 6]
    assert json.loads((tmp_path / "paths.parquet.json").read_text())["settings"] == {
        "measures": {"convention": "scandl"}
    }


def test_predictors_record_their_provider(folder: Path, tmp_path: Path) -> None:
    written = write_predictors(tmp_path / "p.csv", folder, provider="unigram")
    table = read_table(written.path)
    assert table.columns["word"] == ["The", "old", "dog", "slept."]
    assert table.columns["word_length"] == ["3", "3", "3", "6"]
    assert set(table.columns["surprisal_provider"]) == {"unigram"}
    assert set(table.columns["surprisal_unit"]) == {"nats"}
    made = json.loads((tmp_path / "p.csv.json").read_text())
    assert made["settings"]["surprisal"]["provider"] == "unigram"
    assert made["settings"]["frequency"]["scale"] == "zipf"


def test_same_inputs_same_bytes(folder: Path, tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        write_predictors(tmp_path / name, folder, provider="unigram")
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


def test_paths_without_readers_are_told_apart(tmp_path: Path) -> None:
    """The error of the mean is that over scanpaths, whether or not they name a reader."""
    paths = [(0, 1), (1, 2, 3), (3,), (0, 1, 2, 3)]
    texts = []
    for names in (("r1", "r2", "r3", "r4"), (None,) * 4):
        rows = [
            Prediction("s1", path, human=path[:2], reader_id=name, model="m", text="The old dog slept.")
            for path, name in zip(paths, names, strict=True)
        ]
        write_predictions(tmp_path / "p.csv", rows)
        written = write_measures(tmp_path / "w.csv", pred=tmp_path / "p.csv")
        texts.append(mean_lines(written.frame))
        assert len(written.frame.drop_duplicates(["source", "sample", "reader_id", "word_index"])) == 32
    assert texts[0] == texts[1]


def test_a_file_without_predictions_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("sentence_id,predicted,human,text\n")
    with pytest.raises(ScandlError, match="p.csv: found no predictions, expected at least one row"):
        write_measures(tmp_path / "w.csv", corpus=folder, pred=tmp_path / "p.csv")


def test_nothing_given() -> None:
    with pytest.raises(ScandlError, match="nothing to measure: give a corpus, predictions, or both"):
        write_measures("words.csv")


def test_missing_cells_are_empty_and_whole_numbers_whole(tmp_path: Path) -> None:
    frame = pd.DataFrame({"count": [1.0, None], "share": [0.5, 1.0], "word": ["a", "b"]})
    write_frame(tmp_path / "t.csv", frame)
    assert (tmp_path / "t.csv").read_text() == "count,share,word\n1,0.5,a\n,1.0,b\n"

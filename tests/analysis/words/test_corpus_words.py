"""The table of words as they were read: the same from a corpus, a DataFrame and a file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from scandl.corpora import Card, Corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import DataError, ScandlError
from scandl.records import Prediction, Scanpath, Sentence
from scandl_analysis.cli import main
from scandl_analysis.words.corpus_words import PLAIN_NAMES, reading_measures, word_predictors, word_table

TEXT = "The cat sat."
CORPUS = Corpus(
    Card(name="tiny"),
    {"s1": Sentence("s1", TEXT)},
    (
        Scanpath("r1", "s1", (0, 2, 1), (200.0, 150.0, 90.0)),
        Scanpath("r2", "s1", (0, 1, 2), (100.0, 110.0, 120.0)),
    ),
)


def test_one_row_per_reader_and_word() -> None:
    words = word_table(CORPUS, surprisal="unigram", drop=())
    assert words[["reader", "sentence", "word"]].values.tolist() == [
        [reader, "s1", word] for reader in ("r1", "r2") for word in TEXT.split()
    ]
    assert words["skipped"].tolist() == [0, 1, 0, 0, 0, 0]
    assert words["regression"].tolist() == [0, 0, 1, 0, 0, 0]
    assert words["FFD"].fillna(-1).tolist() == [200, -1, 150, 100, 110, 120]
    assert words["length"].tolist() == [3, 3, 4] * 2
    assert words["surprisal"].notna().all()
    for plain, column in PLAIN_NAMES.items():
        assert words[plain].equals(words[column].rename(plain))
    assert words.attrs["notes"][0].startswith("surprisal: unigram")


def test_the_commands_write_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "words.csv"
    assert main(["measures", "--corpus", "demo", "--variant", "firstpass", "--out", str(out), "--quiet"]) == 0
    written = pd.read_csv(out, dtype={"fold": str})
    pd.testing.assert_frame_equal(written, reading_measures("demo", variant="firstpass"), check_dtype=False)
    assert (
        main(["predictors", "--corpus", "demo", "--surprisal", "unigram", "--out", str(out), "--quiet"]) == 0
    )
    found = word_predictors(open_corpus("demo"), surprisal="unigram")
    pd.testing.assert_frame_equal(pd.read_csv(out), found, check_dtype=False)


def test_a_frame_of_fixations_is_as_good_as_its_corpus(tmp_path: Path) -> None:
    """The rows of the frame have another source, and its readers are measured beside them."""
    fixations = CORPUS.to_frame().assign(text=TEXT)
    names = ["reader_id", "word", "sr", "tfc", "FFD", "TFT"]
    expected = reading_measures(CORPUS)[names]
    assert reading_measures(fixations)[names].equals(expected)
    fixations.to_csv(tmp_path / "mine.csv", index=False)
    assert reading_measures(tmp_path / "mine.csv")[names].equals(expected)
    both = word_table(CORPUS.to_frame(), corpus=CORPUS, surprisal="unigram", drop=())
    assert both.groupby("source", sort=False).size().to_dict() == {"human": 6, "DataFrame": 6}
    assert both[names][6:].reset_index(drop=True).equals(expected)


def test_predictions_bring_their_human_paths() -> None:
    prediction = Prediction("s1", (0, 1), human=(0, 2), reader_id="r1", model="m", text=TEXT)
    frame = reading_measures(prediction)
    assert frame.groupby("source", sort=False)["tfc"].apply(list).to_dict() == {
        "human": [1, 0, 1],
        "m": [1, 1, 0],
    }


def test_words_that_are_not_known() -> None:
    with pytest.raises(ScandlError, match="sentence 's1': its words are not known; give the corpus"):
        word_table(CORPUS.to_frame())
    with pytest.raises(ScandlError, match="no corpus 'dmeo'; did you mean 'demo'?"):
        word_table("dmeo")


@pytest.fixture
def rich(small_corpus: Corpus) -> Corpus:
    sentence = Sentence("s1", "The old dog slept.", "i1", {"condition": "hard", "block": "2"})
    return replace(
        small_corpus,
        sentences={"s1": sentence},
        readers={"r1": {"group": "L1", "age": "30"}},
        words={"cloze": {"s1": ("0.5", "", "0.25", "1")}},
    )


def test_has_what_the_corpus_knows(rich: Corpus) -> None:
    frame = word_table(rich, surprisal="unigram", drop=())
    assert len(frame) == 8
    first = frame[frame["reader"] == "r1"]
    assert first["word_token"].tolist() == ["s1:0", "s1:1", "s1:2", "s1:3"]
    assert first["FPRT"].tolist()[::2] == [200.0, 100.0]
    assert first["TFT"].tolist() == [200.0, 140.0, 100.0, 90.0]
    assert set(frame["condition"]) == {"hard"}
    assert set(frame["item"]) == {"i1"}
    assert frame["block"].tolist() == [2] * 8
    np.testing.assert_array_equal(first["cloze"], [0.5, np.nan, 0.25, 1.0])
    assert first["group"].tolist() == ["L1"] * 4
    assert frame.loc[frame["reader"] == "r2", ["group", "age"]].isna().all().all()  # readers.csv has no r2
    assert first["previous_word_length"].tolist()[1:] == [3.0, 3.0, 3.0]


def test_edges_are_left_out_and_said(rich: Corpus) -> None:
    frame = word_table(rich, surprisal="unigram")
    assert set(frame["word"]) == {"old", "dog"}
    assert frame.attrs["notes"][-1] == "first and last words of sentences are left out"


def test_more_columns_come_from_a_file(rich: Corpus, tmp_path: Path) -> None:
    path = tmp_path / "more.csv"
    path.write_text("sentence_id,word_index,region,imageability\ns1,1,critical,3.5\ns1,2,spill,\n")
    frame = word_table(rich, surprisal="unigram", drop=(), words=path)
    row = frame[frame["reader"] == "r2"].set_index("word")
    assert row.loc[["old", "dog"], "region"].tolist() == ["critical", "spill"]
    assert row["imageability"].isna().tolist() == [True, False, True, True]
    path.write_text("sentence_id,region\ns1,critical\n")
    with pytest.raises(DataError, match="expected the columns sentence_id and word_index"):
        word_table(rich, surprisal="unigram", words=path)
    path.write_text("sentence_id,word_index,region\ns1,one,critical\n")
    with pytest.raises(DataError) as caught:
        word_table(rich, surprisal="unigram", words=path)
    assert str(caught.value) == (
        f"{path}:2: column 'word_index': found 'one', expected a word position from 0"
    )

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scandl.corpora import Corpus
from scandl.errors import DataError
from scandl.records import Sentence
from scandl_analysis.words.formula_words import corpus_words


@pytest.fixture
def corpus(small_corpus: Corpus) -> Corpus:
    sentence = Sentence("s1", "The old dog slept.", "i1", {"condition": "hard", "block": "2"})
    return replace(
        small_corpus,
        sentences={"s1": sentence},
        readers={"r1": {"group": "L1", "age": "30"}},
        words={"cloze": {"s1": ("0.5", "", "0.25", "1")}},
    )


def test_has_what_the_corpus_knows(corpus: Corpus) -> None:
    frame, _ = corpus_words(corpus, surprisal="unigram", edges=())
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


def test_edges_are_left_out_and_said(corpus: Corpus) -> None:
    frame, notes = corpus_words(corpus, surprisal="unigram")
    assert set(frame["word"]) == {"old", "dog"}
    assert notes[-1] == "first and last words of sentences are left out"


def test_more_columns_come_from_a_file(corpus: Corpus, tmp_path: Path) -> None:
    path = tmp_path / "more.csv"
    path.write_text("sentence_id,word_index,region,imageability\ns1,1,critical,3.5\ns1,2,spill,\n")
    frame, _ = corpus_words(corpus, surprisal="unigram", edges=(), extra=path)
    row = frame[frame["reader"] == "r2"].set_index("word")
    assert row.loc[["old", "dog"], "region"].tolist() == ["critical", "spill"]
    assert row["imageability"].isna().tolist() == [True, False, True, True]
    path.write_text("sentence_id,region\ns1,critical\n")
    with pytest.raises(DataError, match="expected the columns sentence_id and word_index"):
        corpus_words(corpus, surprisal="unigram", extra=path)
    path.write_text("sentence_id,word_index,region\ns1,one,critical\n")
    with pytest.raises(DataError) as caught:
        corpus_words(corpus, surprisal="unigram", extra=path)
    assert str(caught.value) == (
        f"{path}:2: column 'word_index': found 'one', expected a word position from 0"
    )

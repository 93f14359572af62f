"""The codebook: a row for each column, the definition of the measure itself, and where predictors come from."""

from __future__ import annotations

from scandl.measures.word_measures import gaze_duration
from scandl_analysis.words.codebook import codebook
from scandl_analysis.words.corpus_words import word_table


def test_every_column_is_described() -> None:
    words = word_table("demo", surprisal="unigram")
    found = codebook(words)
    assert found["column"] == list(words.columns)
    assert all(found["meaning"])
    rows = {name: row for name, *row in zip(*found.values(), strict=True)}
    assert rows["FPRT"][0] in (gaze_duration.__doc__ or "")
    assert rows["FPRT"][1:] == ["ms", "the scanpath"]
    assert rows["previous_surprisal"][1:] == ["nats", "unigram"]
    assert rows["frequency"][1:] == ["zipf", "wordfreq"]
    assert rows["skipped"][0] == "the same as sr"
    assert rows["sr"][2] == "the scanpath, variant paper"

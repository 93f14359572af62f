"""Regions: their measures by an independent slow definition, and those of words where a region is one word."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scandl.corpora import Card, Corpus, write_corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import DataError
from scandl.files.tables import write_table
from scandl.records import Scanpath, Sentence
from scandl_analysis.cli import main
from scandl_analysis.words.analysed_run import Reading
from scandl_analysis.words.corpus_words import word_table
from scandl_analysis.words.regions import Region, by_region, read_regions, region_rows
from scandl_analysis.words.word_files import measure_words

SENTENCES = {"s": Sentence("s", "The old lawyer complained loudly about it."), "t": Sentence("t", "No.")}


def slow(path: list[int], ms: list[float], first: int, last: int) -> dict[str, float]:
    """Return the measures of one region by walking over the fixations."""
    where = [(word > last) - (word < first) for word in path]  # −1 left of it, 0 on it, 1 right of it
    entries = [n for n, side in enumerate(where) if side == 0]
    found = {"TFT": sum(ms[n] for n in entries) or math.nan, "tfc": len(entries)}
    entry = entries[0] if entries else len(path)
    skipped = 1 in where[:entry] or not entries
    found |= {"sr": int(skipped), "FPRT": math.nan, "RPD_inc": math.nan, "FPReg": math.nan, "FFD": math.nan}
    if not skipped:
        leave = next((n for n in range(entry, len(path)) if where[n] != 0), len(path))
        past = next((n for n in range(entry, len(path)) if where[n] == 1), len(path))
        found |= {"FFD": ms[entry], "FPRT": sum(ms[entry:leave]), "RPD_inc": sum(ms[entry:past])}
        found["FPReg"] = int(leave < len(path) and where[leave] == -1)
    return found


@settings(max_examples=60, deadline=None)
@given(
    path=st.lists(st.integers(0, 6), min_size=1, max_size=14),
    cuts=st.lists(st.integers(0, 7), min_size=2, max_size=4, unique=True),
)
def test_measures_are_those_of_the_slow_definition(path: list[int], cuts: list[int]) -> None:
    ends = sorted(cuts)
    regions = [Region(f"r{k}", a, b - 1) for k, (a, b) in enumerate(pairwise(ends))][::2]
    ms = [100.0 + n for n in range(len(path))]
    reading = Reading("human", "s", SENTENCES["s"].text, tuple(path), tuple(ms), "r")
    areas, _ = by_region([reading], {"s": regions})
    frame = region_rows(measure_words(areas, "firstpass"), {"s": regions}, {"s": 7})
    assert frame["region"].tolist() == [region.name for region in regions]
    for region, (_, row) in zip(regions, frame.iterrows(), strict=True):
        for name, value in slow(path, ms, region.first, region.last).items():
            own = row.get(name, math.nan)  # a column that nobody has a value in is left out
            assert own == pytest.approx(value, nan_ok=True), (name, region)


def test_regions_of_one_word_have_the_measures_of_words(tmp_path: Path) -> None:
    corpus = open_corpus("demo")
    table = tmp_path / "regions.csv"
    some = list(corpus.sentences.values())[:12]
    marked = [" | ".join(s.words) for s in some]
    write_table(table, {"sentence_id": [s.sentence_id for s in some], "text": marked})
    words = word_table(corpus, surprisal="unigram", drop=(), measures="firstpass")
    words = words[words["sentence_id"].isin([s.sentence_id for s in some])].reset_index(drop=True)
    regions = word_table(corpus, surprisal="unigram", measures="firstpass", regions=table)
    assert (regions["n_words"] == 1).all()
    pd.testing.assert_frame_equal(regions[words.columns], words, check_dtype=False)


def test_predictors_are_of_the_whole_region(tmp_path: Path) -> None:
    corpus = Corpus(Card(name="c"), {"s": SENTENCES["s"]}, (Scanpath("r", "s", (0, 2, 4), (200.0,) * 3),))
    corpus = Corpus(
        corpus.card, corpus.sentences, corpus.scanpaths, {"cloze": {"s": ("1", "2", "3", "4", "5", "6", "7")}}
    )
    table = tmp_path / "regions.csv"
    table.write_text("sentence_id,region,words\ns,subject,1-2\ns,verb,3\n", encoding="utf-8")
    words = word_table(corpus, surprisal="unigram", drop=())
    regions = word_table(corpus, surprisal="unigram", regions=table)
    assert regions["word"].tolist() == ["old lawyer", "complained"]
    assert regions["region"].tolist() == ["subject", "verb"]
    assert regions["word_length"].tolist() == [9, 10]
    assert regions["surprisal"].tolist() == pytest.approx(
        [words["surprisal"][1:3].sum(), words["surprisal"][3]]
    )
    assert regions["frequency"].tolist() == pytest.approx(
        [words["frequency"][1:3].mean(), words["frequency"][3]]
    )
    assert regions["previous_word"].tolist() == ["The", "old lawyer"]
    assert np.isnan(regions["cloze"][0])  # a region of several words has no value of one of them
    assert regions["cloze"][1] == 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "sentence_id,text\ns,The | old dog\n",
            "r.csv:2: column 'text': found 'The | old dog', expected the words of",
        ),
        (
            "sentence_id,text\nq,No.\n",
            "r.csv:2: column 'sentence_id': found 'q', expected a sentence of the corpus",
        ),
        (
            "sentence_id,region,words\ns,a,6-7\n",
            "r.csv:2: column 'words': found '6-7', expected word positions",
        ),
        (
            "sentence_id,region,words\ns,a,1-2\ns,b,2\n",
            "r.csv:3: column 'words': found '2', expected regions without",
        ),
        ("sentence_id,words\ns,1\n", "r.csv:1: column 'region': found only the columns sentence_id, words"),
    ],
)
def test_faults_are_named(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "r.csv").write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        read_regions(tmp_path / "r.csv", SENTENCES)
    assert message in str(caught.value)


def test_the_command_writes_regions(tmp_path: Path) -> None:
    corpus = Corpus(Card(name="c"), SENTENCES, (Scanpath("r", "s", (0, 1, 2, 1, 3), (200.0,) * 5),))
    write_corpus(corpus, tmp_path / "c")
    (tmp_path / "r.csv").write_text("sentence_id,region,words\ns,subject,1-2\n", encoding="utf-8")
    argv = [
        "measures",
        "--corpus",
        str(tmp_path / "c"),
        "--variant",
        "firstpass",
        "--out",
        str(tmp_path / "m.csv"),
    ]
    assert main([*argv, "--regions", str(tmp_path / "r.csv"), "--quiet"]) == 0
    written = pd.read_csv(tmp_path / "m.csv")
    assert written[["region", "word", "FPRT", "sr"]].values.tolist() == [["subject", "old lawyer", 600.0, 0]]

"""Tables on disk with the note of how they were made."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from scandl.corpora import Corpus, write_corpus
from scandl.corpora.corpus_folder import LOST, open_corpus
from scandl.corpora.corpus_statistics import corpus_statistics
from scandl.errors import ScandlError
from scandl.files.prediction_files import write_predictions
from scandl.files.tables import read_table
from scandl.models.imputation import impute
from scandl.records import Prediction
from scandl.statistics.pooling import pool
from scandl_analysis.words.analysed_run import human_readings
from scandl_analysis.words.corpus_words import word_table
from scandl_analysis.words.word_files import (
    mean_and_error,
    mean_lines,
    measure_words,
    write_measures,
    write_predictors,
)


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
    assert mean_lines(written.frame)[0].startswith("human: sr 0.5000 ± –, fpr 0.0000 ± –")


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
    """Means are the same whether or not readers are named; without names there is no error over readers."""
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
    named, unnamed = texts
    assert [re.sub("± [^,]*", "± –", line) for line in named] == unnamed
    assert "–" not in named[0]


def test_a_file_without_predictions_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("sentence_id,predicted,human,text\n")
    with pytest.raises(ScandlError, match="p.csv: found no predictions, expected at least one row"):
        write_measures(tmp_path / "w.csv", corpus=folder, pred=tmp_path / "p.csv")


def test_nothing_given() -> None:
    with pytest.raises(ScandlError, match="nothing to measure: give a corpus, predictions, or both"):
        write_measures("words.csv")


@pytest.mark.parametrize("variant", ["paper", "firstpass"])
def test_measures_and_the_statistics_of_a_corpus_are_one_definition(variant: str) -> None:
    demo = open_corpus("demo")
    frame = measure_words(human_readings(demo), variant)
    of_corpus = corpus_statistics(demo)
    regressions = of_corpus.regression_rate if variant == "paper" else of_corpus.regressions_out
    expected = {"sr": of_corpus.skipping_rate, "fpr": regressions, "tfc": of_corpus.fixations_per_word}
    for name, value in expected.items():
        assert mean_and_error(frame, name)[0] == pytest.approx(value)


def test_errors_are_over_readers_and_sentences_by_the_definition() -> None:
    """The sums by reader and by sentence of what each word adds to the mean, less what both hold."""
    rng = np.random.default_rng(1)
    rows = [
        (f"r{r}", f"s{s}", float(rng.random() < 0.2 + 0.1 * r + 0.05 * s))
        for r in range(6)
        for s in range(8)
        for _ in range(4 + s)
        if (r, s) != (0, 0)
    ]
    frame = pd.DataFrame(rows, columns=["reader_id", "sentence_id", "sr"])
    frame.loc[::9, "sr"] = np.nan
    mean, error = mean_and_error(frame, "sr")
    known = frame.dropna()
    assert mean == pytest.approx(known["sr"].mean())
    added = (known["sr"] - mean) / len(known)
    parts = []
    for keys in (["reader_id"], ["sentence_id"], ["reader_id", "sentence_id"]):
        sums = added.groupby([known[key] for key in keys]).sum()
        parts.append((sums**2).sum() * (len(sums) / (len(sums) - 1) if len(keys) == 1 else 1.0))
    of_readers, of_sentences, whole = parts
    # What both sums hold is what effects of readers and sentences leave of readings, by least squares.
    n, design = len(sums), pd.get_dummies(sums.index.to_frame(), dtype=float).to_numpy()
    left = sums - design @ np.linalg.lstsq(design, sums, rcond=None)[0]
    share = n / 48
    of_readings = share * n / (n - 13) * (left**2).sum() + (1 - share) * whole
    expected = of_readers + of_sentences - of_readings
    assert expected > 2 * of_readings  # readers and sentences differ
    assert error == pytest.approx(math.sqrt(expected), rel=1e-4)


def test_readers_who_differ_make_the_error_that_of_readers() -> None:
    """Ten readers who skip all or nothing: the error is about that of ten numbers, however many words."""
    frame = pd.DataFrame(
        [(f"r{r}", f"s{s}", r % 2) for r in range(10) for s in range(40) for _ in range(10)],
        columns=["reader_id", "sentence_id", "sr"],
    )
    mean, error = mean_and_error(frame, "sr")
    assert mean == 0.5
    assert error == pytest.approx(np.std([0, 1] * 5, ddof=1) / math.sqrt(10), rel=0.02)


def test_imputed_readings_are_measured_in_every_version_and_pooled(tmp_path: Path) -> None:
    """The printed mean and error are those of Rubin's rules over the versions' own."""
    demo = open_corpus("demo")
    demo = demo.restricted_to([pair for pair in demo.by_pair if pair[1] in list(demo.sentences)[:5]])
    lost = [replace(path, positions=(LOST, *path.positions[1:])) for path in demo.scanpaths]
    impute(replace(demo, scanpaths=tuple(lost)), versions=2).write(tmp_path / "filled")
    written = write_measures(tmp_path / "m.csv", corpus=tmp_path / "filled")
    assert "of the fixations were filled in by model people: 2 versions, pooled" in written.notes[0]
    assert sorted(set(written.frame["version"])) == [1, 2]
    each = [write_measures(tmp_path / f"{k}.csv", corpus=tmp_path / "filled" / k) for k in ("1", "2")]
    found = pool(*zip(*(mean_and_error(one.frame, "sr") for one in each), strict=True))
    lost_share = f"(missing information {found.missing_information:.0%})"
    assert f"sr {found.mean:.4f} ± {found.sd:.4f} {lost_share}, fpr" in mean_lines(written.frame)[0]
    table = word_table(str(tmp_path / "filled"), surprisal="unigram")
    assert any("pooled by Rubin's rules" in note for note in table.attrs["notes"])

"""Baselines beside predictions: the very paths of ``baseline generate``, for the very items."""

from __future__ import annotations

from pathlib import Path

import pytest

from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import ScandlError
from scandl.files.prediction_files import read_predictions, write_predictions
from scandl.records import Prediction
from scandl_eval.cli import main
from scandl_eval.references import baseline_readings as module
from scandl_eval.references.baseline_readings import baseline_readings
from scandl_eval.scoring.evaluation import evaluate


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SCANDL_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "baselines"


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """Predictions for a part of the demo, with texts."""
    corpus = open_corpus("demo")
    own = [
        Prediction(
            p.sentence_id,
            (0, 1, 2),
            p.positions,
            p.reader_id,
            "mine",
            text=corpus.sentences[p.sentence_id].text,
        )
        for p in corpus.scanpaths[::17]
    ]
    write_predictions(tmp_path / "mine.csv", own)
    return tmp_path / "mine.csv"


@pytest.mark.parametrize("name", ["uniform", "ezreader"])
def test_they_are_those_of_a_separate_file(mine: Path, tmp_path: Path, name: str) -> None:
    out = tmp_path / "all.csv"
    assert main(["baseline", "generate", name, "--corpus", "demo", "--out", str(out), "--quiet"]) == 0
    separate = {(p.reader_id, p.sentence_id): (p.predicted, p.durations) for p in read_predictions(out)}
    for corpus in (None, open_corpus("demo")):
        if corpus is None and name == "ezreader":
            continue  # without the corpus it does not know the cloze norms
        own = read_predictions(mine, corpus=corpus)
        found = baseline_readings([name], own, corpus, seed=1)
        assert [(p.reader_id, p.sentence_id) for p in found] == [(p.reader_id, p.sentence_id) for p in own]
        for p in found:
            words, durations = separate[p.reader_id, p.sentence_id]
            assert p.predicted == words
            assert p.durations == (None if durations is None else pytest.approx(durations))  # as written
        assert {p.model for p in found} == {name}


def test_every_row_has_the_same_items_and_only_ones_own_model_is_judged(mine: Path) -> None:
    found = evaluate(mine, baselines=["all"], metrics=["nld", "energy"])
    assert {row.model: row.kind for row in found.rows if row.metric == "nld"} == {
        "mine": "model",
        **dict.fromkeys(("uniform", "ezreader", "swift", "people"), "baseline"),
        **dict.fromkeys(("left-to-right", "train-label-dist"), "baseline"),
        "Human": "human",
    }
    assert {row.n for row in found.rows if row.metric == "nld" and row.kind != "human"} == {126}
    assert {model for model, _ in found.gaps} == {"mine"}
    plain = evaluate(mine, metrics=["nld", "energy"])
    assert [r for r in found.rows if r.model == "mine"] == [r for r in plain.rows if r.model == "mine"]
    alone = evaluate(mine, baselines=["none"], metrics=["nld"])
    assert {row.model for row in alone.rows} == {"mine", "Human"}


def test_a_second_call_reads_what_the_first_has_kept(
    mine: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = read_predictions(mine)
    first = baseline_readings(["uniform"], own, None, seed=1)
    assert len(list(cache.iterdir())) == 1
    monkeypatch.setattr(module, "open_model", None)
    assert baseline_readings(["uniform"], own, None, seed=1) == first
    monkeypatch.undo()
    monkeypatch.setenv("SCANDL_CACHE", str(cache.parent))
    assert baseline_readings(["uniform"], own, None, seed=2) != first
    assert baseline_readings(["uniform"], own[1:], None, seed=1) == first[1:]


def test_a_damaged_cache_is_made_anew(mine: Path, cache: Path) -> None:
    own = read_predictions(mine)
    first = baseline_readings(["uniform"], own, None, seed=1)
    for path in cache.iterdir():
        path.write_text(path.read_text()[:40])
    assert baseline_readings(["uniform"], own, None, seed=1) == first


def test_readers_without_a_name_read_differently() -> None:
    own = [Prediction("s1", (0, 1), (0, 2), text="one two three four five six seven") for _ in range(20)]
    found = baseline_readings(["uniform"], own, None, seed=1)
    assert len(found) == 20
    assert len({p.predicted for p in found}) > 10
    assert {p.reader_id for p in found} == {None}


def test_what_cannot_be_asked_for_is_said(mine: Path) -> None:
    with pytest.raises(ScandlError, match="no model 'unifrom'; did you mean 'uniform'"):
        baseline_readings(["unifrom"], read_predictions(mine), None, seed=1)
    with pytest.raises(ScandlError, match="--baselines markov: it learns from people's scanpaths"):
        baseline_readings(["markov"], read_predictions(mine), None, seed=1)
    with pytest.raises(ScandlError, match="give a column 'text', or --corpus"):
        baseline_readings(["uniform"], [Prediction("s1", (0,), (0,))], None, seed=1)

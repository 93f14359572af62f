from __future__ import annotations

from dataclasses import replace

import pytest

from scandl.corpora import Card, read_corpus, write_corpus
from scandl.errors import DataError
from scandl.files.prediction_files import read_predictions, write_predictions
from scandl.files.tables import read_table, write_table
from scandl.records import Prediction
from scandl_eval.leaderboard.leaderboard import read_leaderboard
from scandl_eval.running.run_benchmark import run_benchmark


def test_outside_predictions_join_on_the_same_folds(config, tmp_path):
    run_benchmark(replace(config, models=("markov",)), tmp_path / "first")
    mine = [replace(p, model="mine") for p in read_predictions(tmp_path / "first/predictions/markov/ns.csv")]
    write_predictions(tmp_path / "mine.csv", mine)
    joined = replace(config, predictions=(str(tmp_path / "mine.csv"),))
    board = run_benchmark(joined, tmp_path / "second")
    mine_row, markov = (board.find("ns", model, "nld") for model in ("mine", "markov"))
    assert (mine_row.mean, mine_row.rank) == (markov.mean, markov.rank)
    assert board.find("nr", "mine", "nld") is None


def outsiders(config, tmp_path, **models):
    """Write predictions of models fitted elsewhere, made from markov's of the setting ns."""
    run_benchmark(replace(config, models=("markov",), settings=("ns",)), tmp_path / "first")
    markov = read_predictions(tmp_path / "first/predictions/markov/ns.csv")
    for name, change in models.items():
        write_predictions(tmp_path / f"{name}.csv", [replace(p, model=name) for p in change(markov)])
    files = tuple(str(tmp_path / f"{name}.csv") for name in models)
    return replace(config, models=("left-to-right", "markov"), settings=("ns",), predictions=files)


def test_a_model_that_lacks_items_is_named_and_all_are_ranked_on_shared_ones(config, tmp_path):
    joined = outsiders(config, tmp_path, half=lambda found: [p for p in found if p.fold != "0"])
    board = run_benchmark(joined, tmp_path / "run")
    assert (board.find("ns", "half", "nld").n, board.find("ns", "markov", "nld").n) == (24, 36)
    assert board.find("ns", "half", "nld").rank == board.find("ns", "markov", "nld").rank
    assert board.find("ns", "half", "nld").difference == board.find("ns", "markov", "nld").difference
    (line,) = [line for line in board.warnings if "no prediction for" in line]
    assert line.startswith("New Sentence: half has no prediction for 12 of 36 items (sentence ")
    assert line.endswith("; ranks are over the 24 items that all models have.")


def test_models_without_a_shared_item_are_not_ranked(config, tmp_path):
    joined = outsiders(
        config,
        tmp_path,
        a=lambda found: [p for p in found if p.fold == "0"],
        b=lambda found: [p for p in found if p.fold == "1"],
    )
    board = run_benchmark(joined, tmp_path / "run")
    rows = [row for row in board.rows if row.kind == "model" and row.metric == "nld"]
    assert len(rows) == 4
    assert {(row.rank, row.difference, row.dagger) for row in rows} == {(None, None, None)}
    assert all(row.mean is not None and row.ci95 is not None for row in rows)


def test_a_path_held_impossible_leaves_no_number_but_a_note(config, tmp_path):
    joined = outsiders(
        config, tmp_path, sure=lambda found: [replace(p, log_prob=float("-inf")) for p in found]
    )
    run_benchmark(joined, tmp_path / "run")
    board = read_leaderboard(tmp_path / "run")
    row = board.find("ns", "sure", "bits-per-fixation")
    assert (row.mean, row.rank) == (None, None)
    assert row.note == "minus infinity: the model gives some human scanpath the probability 0"
    assert board.find("ns", "markov", "bits-per-fixation").rank == 1


def test_tables_of_a_model_that_is_gone_are_set_aside(config, tmp_path):
    joined = outsiders(config, tmp_path, mine=lambda found: found)
    run_benchmark(joined, tmp_path / "run")
    assert (tmp_path / "run/scores/mine/ns-sentences.csv").is_file()
    with pytest.warns(UserWarning, match=r"moved to .*earlier: mine \(ns\); a run with these"):
        run_benchmark(replace(joined, predictions=()), tmp_path / "run")
    found = [path for path in (tmp_path / "run").rglob("*.csv") if "mine" in path.parts]
    assert len(found) == 3
    assert all("earlier" in path.parts for path in found)


NO_FOLDER = "a name that a folder can have: no path, at most 255 bytes"
FAULTS = {  # what is wrong with the third prediction, and what is said of it
    "setting": ({"setting": "all"}, "column 'setting': found 'all', expected a setting of this run: ns"),
    "fold": (
        {"fold": "zero"},
        "column 'fold': found 'zero', expected a fold of setting 'ns' in this run: 0, 1, 2",
    ),
    "reader": (
        {"reader_id": None},
        "column 'reader_id': found '', expected the reader whose scanpath it stands for",
    ),
    "stranger": (
        {"reader_id": "z"},
        "column 'sentence_id': found reader 'z', sentence 's2', expected an item of the test part of ns-0",
    ),
    "other fold": (
        {"fold": "1"},
        "column 'sentence_id': found reader 'r1', sentence 's2', expected an item of the test part of ns-1",
    ),
    "position": (
        {"predicted": (0, 99), "text": None},
        "column 'predicted': found '0 99', expected positions 0..7, the sentence has 8 words",
    ),
    "text": (
        {"text": "a b c d e f g h"},
        "column 'text': found 'a b c d e f g h', expected the text of sentence 's2' in the corpus",
    ),
    "own": (
        {"model": "markov"},
        "column 'model': found 'markov', expected another name, this one is of a model of the run",
    ),
    "own but for case": (
        {"model": "Markov"},
        "column 'model': found 'Markov', expected a name that differs from 'markov' in more than case",
    ),
    "another's but for case": (
        {"model": "FIRST"},
        "column 'model': found 'FIRST', expected a name that differs from 'first' in more than case",
    ),
    "other readers": (
        {"human": (1, 2)},
        "column 'human': found '1 2', expected '0 1 1 2 4 5 7', the path of reader 'r1' in corpus 'tiny', or no such column",
    ),
    "readers": (
        {"model": "HUMAN"},
        "column 'model': found 'HUMAN', expected another name, this one is reserved for the readers themselves",
    ),
    "line": (
        {"model": "a\nb"},
        "column 'model': found 'a\\nb', expected a name without line breaks and other control characters",
    ),
    "here": ({"model": "."}, f"column 'model': found '.', expected {NO_FOLDER}"),
    "above": ({"model": ".."}, f"column 'model': found '..', expected {NO_FOLDER}"),
    "elsewhere": ({"model": "../mine"}, f"column 'model': found '../mine', expected {NO_FOLDER}"),
    "on Windows": ({"model": "a\\b"}, f"column 'model': found 'a\\\\b', expected {NO_FOLDER}"),
    "long": ({"model": "ä" * 128}, f"column 'model': found '{'ä' * 128}', expected {NO_FOLDER}"),
}


def test_a_refused_prediction_is_named_with_its_row_before_anything_is_written(config, tmp_path):
    joined = outsiders(config, tmp_path, first=lambda found: found, mine=lambda found: found)
    joined = replace(joined, index_base=0)  # a single path without 0 is no fault here
    mine = read_predictions(tmp_path / "mine.csv")
    for change, message in FAULTS.values():
        write_predictions(tmp_path / "mine.csv", [*mine[:2], replace(mine[2], **change), *mine[3:]])
        with pytest.raises(DataError) as caught:
            run_benchmark(joined, tmp_path / "run")
        assert str(caught.value) == f"{tmp_path}/mine.csv:4: {message}"
        assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("column", ["setting", "reader_id"])
def test_a_column_that_lacks_is_asked_for(config, tmp_path, column):
    joined = outsiders(config, tmp_path, mine=lambda found: found)
    columns = dict(read_table(tmp_path / "mine.csv").columns)
    del columns[column]
    write_table(tmp_path / "mine.csv", columns)
    with pytest.raises(DataError) as caught:
        run_benchmark(joined, tmp_path / "run")
    assert str(caught.value) == (
        f"{tmp_path}/mine.csv:1: column '{column}': found only the columns {', '.join(columns)}, "
        "expected a column of this name"
    )


def test_positions_are_those_of_the_corpus_tested_on(config, tmp_path):
    corpus = read_corpus(config.corpus)
    longer = {key: replace(s, text=f"{s.text} And more.") for key, s in corpus.sentences.items()}
    write_corpus(replace(corpus, card=Card(name="other"), sentences=longer), tmp_path / "other")
    across = replace(config, settings=("cross",), models=("markov",), test_corpus=str(tmp_path / "other"))
    path = corpus.scanpaths[0]
    last = longer[path.sentence_id].n_words - 1
    one = Prediction(path.sentence_id, (last,), reader_id=path.reader_id, model="mine", setting="cross")
    joined = replace(across, predictions=(str(tmp_path / "mine.csv"),), index_base=0)
    write_predictions(tmp_path / "mine.csv", [one])
    assert run_benchmark(joined, tmp_path / "run").find("cross", "mine", "nld").n == 1
    write_predictions(tmp_path / "mine.csv", [replace(one, predicted=(last + 1,))])
    with pytest.raises(DataError, match=rf"mine.csv:2: column 'predicted': found '{last + 1}', expected"):
        run_benchmark(joined, tmp_path / "run")


def test_positions_may_count_from_1(config, tmp_path):
    def moved(found, human):
        return [replace(p, predicted=tuple(w + 1 for w in p.predicted), human=human) for p in found]

    joined = outsiders(config, tmp_path, mine=lambda found: moved(found, None))
    with pytest.raises(DataError, match=r"the sentence has 7 words; does this file count from 1\?"):
        run_benchmark(joined, tmp_path / "run")
    board = run_benchmark(replace(joined, index_base=1), tmp_path / "run")
    assert board.find("ns", "mine", "nld").mean == board.find("ns", "markov", "nld").mean


def test_a_model_without_position_0_is_named(config, tmp_path):
    joined = outsiders(
        config, tmp_path, mine=lambda found: [replace(p, predicted=(1,), human=None) for p in found]
    )
    with pytest.warns(UserWarning, match="position 0 is in none of 36 predictions of mine but in"):
        run_benchmark(joined, tmp_path / "run")


def test_an_empty_human_cell_is_that_of_the_corpus(config, tmp_path):
    joined = outsiders(config, tmp_path, mine=lambda found: [replace(found[0], human=None), *found[1:]])
    board = run_benchmark(joined, tmp_path / "run")
    assert board.find("ns", "mine", "nld").mean == board.find("ns", "markov", "nld").mean


def test_likelihoods_that_are_not_of_all_paths_are_said(config, tmp_path):
    joined = outsiders(
        config,
        tmp_path,
        half=lambda found: [replace(p, log_prob=None) if k % 2 else p for k, p in enumerate(found)],
        none=lambda found: [replace(p, log_prob=None) for p in found],
    )
    board = run_benchmark(joined, tmp_path / "run")
    assert board.find("ns", "half", "bits-per-fixation") is None
    assert [line for line in board.warnings if "likelihood" in line] == [
        "New Sentence: half has log_prob for 18 of 36 scanpaths, so no likelihood."
    ]

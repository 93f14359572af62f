from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import replace
from statistics import fmean, stdev

import pytest

from scandl.corpora import Card, read_corpus, write_corpus
from scandl.errors import DataError, ScandlError
from scandl.files.prediction_files import read_predictions, write_predictions
from scandl.files.results import locked
from scandl.files.tables import read_table, write_table
from scandl.measures.pair.nld import nld, nld_scandl
from scandl.records import Prediction
from scandl.splits import read_fold
from scandl_eval.leaderboard.leaderboard import Leaderboard, read_leaderboard
from scandl_eval.references.reference_rows import HUMAN
from scandl_eval.running import tasks
from scandl_eval.running.run_benchmark import run_benchmark

MODELS = ("left-to-right", "markov", "uniform-n")


def test_folder_has_what_the_contract_names(config, tmp_path, tables):
    run_benchmark(config, tmp_path / "run")
    names = set(tables(tmp_path / "run"))
    assert {
        "run.toml",
        "leaderboard.csv",
        "leaderboard.json",
        "splits/ns-0.json",
        "splits/nr-2.json",
    } <= names
    for model in MODELS:
        for setting in ("ns", "nr"):
            assert {f"predictions/{model}/{setting}.csv", f"scores/{model}/{setting}.csv"} <= names
    written = json.loads((tmp_path / "run" / "leaderboard.json").read_text())
    assert written["schema"] == 1
    assert {"model", "setting", "metric", "n", "mean", "se_folds", "ci95"} <= set(written["rows"][0])
    assert {"command", "version", "seed", "inputs", "date"} <= set(written["provenance"])
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert manifest["files"].keys() == {name for name in names if not name.startswith(".pieces")}
    assert manifest["made_by"] == written["provenance"]


def test_means_are_those_of_the_predictions(config, tmp_path):
    board = run_benchmark(config, tmp_path / "run")
    for model in MODELS:
        found = read_predictions(tmp_path / "run" / "predictions" / model / "ns.csv")
        assert len(found) == 36  # every (reader, sentence) is tested once
        for metric, function in (("nld", nld), ("nld-scandl", nld_scandl)):
            row = board.find("ns", model, metric)
            assert row.mean == pytest.approx(fmean(function(p.human, p.predicted) for p in found), abs=1e-6)
            assert row.ci95[0] <= row.mean <= row.ci95[1]
            assert row.n == 36
        assert {(p.fold, p.model, p.setting, p.sample) for p in found} == {(f, model, "ns", 0) for f in "012"}
        assert (found[0].log_prob is None) == (model != "markov")


def test_energy_and_likelihood_follow_their_definition(config, tmp_path):
    board = run_benchmark(config, tmp_path / "run")
    found = read_predictions(tmp_path / "run" / "predictions" / "markov" / "nr.csv")
    by_sentence = defaultdict(list)
    for prediction in found:
        by_sentence[prediction.sentence_id].append(prediction)
    energies = []
    for group in by_sentence.values():
        n = len(group)
        between = fmean(nld(a.human, b.predicted) for a in group for b in group if a is not b)
        human, model = (
            sum(nld(x, y) for x in side for y in side) / (n * (n - 1))
            for side in ([p.human for p in group], [p.predicted for p in group])
        )
        energies.append(2 * between - human - model)
    assert board.find("nr", "markov", "energy").mean == pytest.approx(fmean(energies), abs=1e-6)
    bits = sum(p.log_prob for p in found) / sum(len(p.human) + 1 for p in found) / 0.6931471805599453
    assert board.find("nr", "markov", "bits-per-fixation").mean == pytest.approx(bits, abs=1e-6)
    assert board.find("nr", "left-to-right", "bits-per-fixation") is None


def test_human_row_is_on_the_same_items_without_self(config, tmp_path):
    board = run_benchmark(replace(config, folds=(1,), settings=("ns",)), tmp_path / "run")
    corpus = read_corpus(config.corpus)
    fold = read_fold(tmp_path / "run" / "splits" / "ns-1.json", corpus)
    values = []
    for reader, sentence in fold.test:
        own = corpus.by_pair[reader, sentence].positions
        others = [p.positions for p in corpus.by_sentence[sentence] if p.reader_id != reader]
        values.append(fmean(nld(own, other) for other in others))
    human = board.find("ns", HUMAN, "nld")
    assert human.mean == pytest.approx(fmean(values), abs=1e-6)
    assert human.kind == "human"
    assert human.rank is None


def test_a_corpus_of_one_reader_has_no_human_row_and_says_so(config, tmp_path):
    corpus = read_corpus(config.corpus)
    own = tuple(path for path in corpus.scanpaths if path.reader_id == "r1")
    write_corpus(replace(corpus, scanpaths=own), tmp_path / "alone")
    alone = replace(config, corpus=str(tmp_path / "alone"), settings=("ns",), models=("left-to-right",))
    board = run_benchmark(alone, tmp_path / "run")
    assert not [row for row in board.rows if row.kind == "human"]
    assert "New Sentence: no row of the readers, no sentence was read by two of them." in board.warnings


def test_finished_pieces_are_not_made_again(config, tmp_path, monkeypatch, tables):
    first = run_benchmark(config, tmp_path / "run")
    before = tables(tmp_path / "run")
    made = []
    original = tasks.fold_readings

    def watched(*args, **kwargs):
        made.append(args[0].name)
        return original(*args, **kwargs)

    monkeypatch.setattr(tasks, "fold_readings", watched)
    assert run_benchmark(config, tmp_path / "run").rows == first.rows
    assert made == []
    assert tables(tmp_path / "run") == before

    next((tmp_path / "run" / ".pieces" / "markov").glob("nr-1.*.csv")).unlink()
    run_benchmark(config, tmp_path / "run")
    assert made == ["markov"]
    assert tables(tmp_path / "run") == before

    run_benchmark(replace(config, seed=2), tmp_path / "run")
    assert len(made) == 1 + 3 * 6
    assert len(list((tmp_path / "run" / ".pieces").rglob("*.csv"))) == 3 * 6  # those of seed 1 are gone


def test_a_smaller_second_run_loses_nothing_of_the_first(config, tmp_path, monkeypatch, tables):
    run = tmp_path / "run"
    run_benchmark(config, run)
    before = tables(run)
    with pytest.warns(
        UserWarning, match=r"tables of an earlier run that this run does not have were moved to .*earlier: "
    ):
        run_benchmark(replace(config, models=("markov",), settings=("ns",), folds=(0,)), run)
    names = set(tables(run))
    assert {name for name in names if name.startswith("predictions")} == {"predictions/markov/ns.csv"}
    assert (run / "earlier/predictions/left-to-right/nr.csv").is_file()
    assert not (run / "splits" / "nr-0.json").exists()
    monkeypatch.setattr(tasks, "fold_readings", None)  # every piece is still there
    run_benchmark(config, run)
    assert {name: text for name, text in tables(run).items() if not name.startswith("earlier")} == before


@pytest.mark.parametrize(
    ("piece", "damage"),
    [
        ("ns-1.*.csv", lambda text: text[: text.rindex("\n", 0, -1) + 1]),
        ("ns-1.*.csv", lambda text: ""),
        ("ns.*.json", lambda text: text[: len(text) // 2]),
        ("ns.*.json", lambda text: text.replace("0.", "1.", 1)),
    ],
)
def test_a_damaged_piece_is_made_again(config, tmp_path, tables, piece, damage):
    few = replace(config, settings=("ns",), models=("markov",))
    run_benchmark(few, tmp_path / "run")
    before = tables(tmp_path / "run")
    (path,) = (tmp_path / "run" / ".pieces" / "markov").glob(piece)
    path.write_text(damage(path.read_text()))
    run_benchmark(few, tmp_path / "run")
    assert tables(tmp_path / "run") == before


def test_a_folder_in_which_another_run_works_is_left_alone(config, tmp_path):
    pytest.importorskip("fcntl")
    with (
        locked(tmp_path / "run"),
        pytest.raises(ScandlError, match="run: another command is writing into this folder; wait for it"),
    ):
        run_benchmark(config, tmp_path / "run")
    assert list((tmp_path / "run").iterdir()) == []


def test_foreign_folder_is_left_alone(config, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("keep")
    with pytest.raises(ScandlError, match="not a run folder and not empty"):
        run_benchmark(config, tmp_path / "mine")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.txt"]


def test_a_run_that_fails_leaves_the_finished_one(config, tmp_path, monkeypatch):
    monkeypatch.setattr("scandl.workers.CONNECT_SECONDS", 1)
    run = tmp_path / "run"
    run_benchmark(replace(config, settings=("ns",)), run)

    def content():
        return {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}

    before = content()
    other = replace(config, settings=("nr",), models=("markov", "uniform"), folds=(1,))
    with pytest.raises(ScandlError, match=r"nope.csv: found no file, expected a CSV or Parquet file"):
        run_benchmark(replace(other, predictions=(str(tmp_path / "nope.csv"),)), run)
    with pytest.raises(ScandlError, match="no Dask scheduler at 'tcp://127.0.0.1:9'"):
        run_benchmark(other, run, scheduler="tcp://127.0.0.1:9")
    with pytest.raises(ScandlError, match="simplified-swift needs fixation durations"):
        run_benchmark(replace(other, models=("simplified-swift",)), run)
    assert content() == before
    with pytest.raises(ScandlError, match="no Dask scheduler"):
        run_benchmark(other, tmp_path / "new", scheduler="tcp://127.0.0.1:9")
    assert not (tmp_path / "new").exists()


def test_a_run_stopped_while_models_generate_goes_on(config, tmp_path, monkeypatch, tables):
    few = replace(config, settings=("ns",), models=("left-to-right", "markov"))
    run_benchmark(few, tmp_path / "whole")
    original = tasks.fold_readings

    def interrupted(*args, **kwargs):
        if args[0].name == "markov":
            raise KeyboardInterrupt
        return original(*args, **kwargs)

    monkeypatch.setattr(tasks, "fold_readings", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_benchmark(few, tmp_path / "run")
    assert [path.name for path in (tmp_path / "run").iterdir()] == [".pieces"]
    monkeypatch.setattr(tasks, "fold_readings", original)
    run_benchmark(few, tmp_path / "run")
    assert tables(tmp_path / "run") == tables(tmp_path / "whole")


def test_processes_and_samples_do_not_change_what_is_drawn(config, tmp_path, tables):
    few = replace(config, settings=("nr",), models=("markov",))
    run_benchmark(few, tmp_path / "one")
    run_benchmark(few, tmp_path / "two", jobs=2)
    assert tables(tmp_path / "one") == tables(tmp_path / "two")
    board = run_benchmark(replace(few, samples=3), tmp_path / "three")
    single, triple = (
        read_predictions(tmp_path / run / "predictions/markov/nr.csv") for run in ("one", "three")
    )
    assert [p for p in triple if p.sample == 0] == single
    assert len(triple) == 3 * len(single)
    row = board.find("nr", "markov", "nld")
    means = [fmean(nld(p.human, p.predicted) for p in triple if p.sample == k) for k in range(3)]
    assert row.sd_samples == pytest.approx(stdev(means), abs=1e-6)
    assert row.n == len(single)  # samples are averaged within the instance


def test_across_datasets_tests_on_the_other_corpus(config, tmp_path):
    corpus = read_corpus(config.corpus)
    other = replace(corpus, card=Card(name="other"), scanpaths=corpus.scanpaths[:18])
    write_corpus(other, tmp_path / "other")
    across = replace(config, settings=("cross",), models=("markov",), test_corpus=str(tmp_path / "other"))
    board = run_benchmark(across, tmp_path / "run")
    row = board.find("cross", "markov", "nld")
    assert (row.n, row.se_folds) == (18, None)
    assert {r.model for r in board.rows if r.kind == "published"} >= {"ScanDL", "Human"}


def test_a_table_of_words_reaches_the_models_that_read_it(config, tmp_path):
    corpus = read_corpus(config.corpus)
    rows = [
        f"{key},{n},{1 / len(word)}" for key, s in corpus.sentences.items() for n, word in enumerate(s.words)
    ]
    table = tmp_path / "words.csv"
    table.write_text("\n".join(["sentence_id,word_index,probability", *rows]) + "\n")
    one = replace(config, models=("ezreader", "markov"), settings=("ns",), folds=(0,))
    lengths = []
    for told in ({}, {"words": str(table)}, {"words": str(table), "predictability": "zero"}):
        run_benchmark(
            replace(one, **told), tmp_path / "run"
        )  # into the same folder: pieces must not be reused
        found = {
            model: read_predictions(tmp_path / f"run/predictions/{model}/ns.csv") for model in one.models
        }
        lengths.append({model: [len(p.predicted) for p in paths] for model, paths in found.items()})
    blind, informed, zero = lengths
    assert sum(informed["ezreader"]) < sum(blind["ezreader"])
    assert zero == blind
    assert informed["markov"] == blind["markov"]


def test_a_model_that_refuses_costs_no_other(config, tmp_path):
    # The corpus has no durations, which simplified SWIFT needs.
    few = replace(config, settings=("ns",), models=("simplified-swift", "left-to-right"))
    board = run_benchmark(few, tmp_path / "run")
    assert board.find("ns", "left-to-right", "nld") is not None
    assert board.find("ns", "simplified-swift", "nld") is None
    assert board.warnings[-1].startswith("New Sentence: simplified-swift is left out: simplified-swift needs")
    with pytest.raises(ScandlError, match="simplified-swift needs fixation durations"):
        run_benchmark(replace(few, models=("simplified-swift",)), tmp_path / "none")


def test_folds_done_before_a_refusal_are_kept(config, tmp_path, monkeypatch):
    few = replace(config, settings=("ns",), models=("markov", "left-to-right"))
    whole = tasks.fold_readings

    def fails_late(model, fold, corpus, **options):
        if model.name == "markov" and fold.number == 2:
            raise ScandlError("the disk is full")
        return whole(model, fold, corpus, **options)

    monkeypatch.setattr(tasks, "fold_readings", fails_late)
    board = run_benchmark(few, tmp_path / "run")
    assert board.warnings[-1].startswith("New Sentence: markov is left out: the disk is full")
    pieces = [path for path in (tmp_path / "run" / ".pieces").rglob("*.csv") if "markov" in str(path)]
    assert len(pieces) == 2


def test_board_is_read_back_as_it_was_written(config, tmp_path):
    board = run_benchmark(config, tmp_path / "run")
    again = read_leaderboard(tmp_path / "run")
    assert isinstance(again, Leaderboard)
    assert again.rows == board.rows
    assert again.warnings == board.warnings


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
    "setting": ({"setting": "nr"}, "column 'setting': found 'nr', expected a setting of this run: ns"),
    "no split": (
        {"setting": "all"},
        "column 'setting': found 'all', expected a setting of this run: ns; predictions of no split are scored"
        " by: scandl-eval nld --pred FILE --baselines all",
    ),
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

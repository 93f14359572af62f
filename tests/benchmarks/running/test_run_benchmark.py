from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import replace
from statistics import fmean, stdev

import pytest

from scandl.corpora import Card, read_corpus, write_corpus
from scandl.errors import ScandlError
from scandl.files.prediction_files import read_predictions
from scandl.files.results import locked
from scandl.measures.pair.nld import nld, nld_scandl
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

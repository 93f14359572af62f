from __future__ import annotations

from dataclasses import replace

import pytest

from scandl.errors import ScandlError
from scandl.io import read_predictions, write_predictions
from scandl_eval.leaderboard import read_leaderboard
from scandl_eval.running.benchmark import run_benchmark


def test_outside_predictions_join_on_the_same_folds(config, tmp_path):
    run_benchmark(replace(config, models=("markov",)), tmp_path / "first")
    mine = [replace(p, model="mine") for p in read_predictions(tmp_path / "first/predictions/markov/ns.csv")]
    write_predictions(tmp_path / "mine.csv", mine)
    joined = replace(config, predictions=(str(tmp_path / "mine.csv"),))
    board = run_benchmark(joined, tmp_path / "second")
    mine_row, markov = (board.find("ns", model, "nld") for model in ("mine", "markov"))
    assert (mine_row.mean, mine_row.rank) == (markov.mean, markov.rank)
    assert board.find("nr", "mine", "nld") is None

    write_predictions(tmp_path / "mine.csv", [replace(p, fold="12"[p.fold == "1"]) for p in mine])
    with pytest.raises(ScandlError, match="is not in the test part of ns-"):
        run_benchmark(joined, tmp_path / "third")
    write_predictions(tmp_path / "mine.csv", [replace(p, setting="all") for p in mine])
    with pytest.raises(ScandlError, match="fold '0' of setting 'all' is not in this run; known: ns-0"):
        run_benchmark(joined, tmp_path / "third")


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
        config, tmp_path,
        a=lambda found: [p for p in found if p.fold == "0"], b=lambda found: [p for p in found if p.fold == "1"],
    )  # fmt: skip
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
    assert row.note == "minus infinity: the model gives 36 human scanpaths the probability 0"
    assert board.find("ns", "markov", "bits-per-fixation").rank == 1


def test_tables_of_a_model_that_is_gone_go_too(config, tmp_path):
    joined = outsiders(config, tmp_path, mine=lambda found: found)
    run_benchmark(joined, tmp_path / "run")
    assert (tmp_path / "run/scores/mine/ns-sentences.csv").is_file()
    run_benchmark(replace(joined, predictions=()), tmp_path / "run")
    assert not [path for path in (tmp_path / "run").rglob("*.csv") if "mine" in path.parts]


def test_a_model_name_cannot_lead_out_of_the_folder(config, tmp_path):
    joined = outsiders(config, tmp_path, mine=lambda found: found)
    text = (tmp_path / "mine.csv").read_text().replace("mine", "../mine")
    (tmp_path / "mine.csv").write_text(text)
    with pytest.raises(ScandlError, match=r"model '\.\./mine': found a path, expected a plain name"):
        run_benchmark(joined, tmp_path / "run")

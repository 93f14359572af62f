from __future__ import annotations

from dataclasses import replace

import pytest

from scandl.corpora.catalogue import open_corpus
from scandl.records import Prediction
from scandl_eval.leaderboard.leaderboard import BoardRow
from scandl_eval.running.board import (
    build_leaderboard,
    lacking_lines,
    left_to_right_lines,
    no_human_lines,
    no_likelihood_lines,
)
from scandl_eval.running.run_config import RunConfig
from scandl_eval.running.scored_run import DistributionTests, score_run
from scandl_eval.running.tasks import Corpora

DEMO = open_corpus("demo")
READ = [path for path in DEMO.scanpaths if path.sentence_id <= "s10"]  # by several readers each


def predictions(model: str, n: int = 60, **given: object) -> list[Prediction]:
    return [
        Prediction(p.sentence_id, tuple(range(3)), p.words, p.reader_id, model, "ns", **given)  # type: ignore[arg-type]
        for p in READ[:n]
    ]


def nld(model: str, mean: float, rank: int | None, kind: str = "model", **more: object) -> BoardRow:
    return BoardRow(setting="ns", model=model, kind=kind, metric="nld", n=10, mean=mean, rank=rank, **more)  # type: ignore[arg-type]


@pytest.fixture
def runs():
    some = [replace(p, log_prob=-3.0 if k < 5 else None) for k, p in enumerate(predictions("b", 40))]
    given = {("a", "ns"): predictions("a"), ("b", "ns"): some}
    return score_run(given, Corpora(DEMO), seed=1)


def test_a_board_has_models_humans_and_published_rows_and_says_what_lacks(runs):
    config = RunConfig(corpus="demo", settings=("ns",), models=("a", "b"))
    tests = {(m, "ns"): DistributionTests(auc=0.5, auc_ci95=[0.4, 0.6], n_paths=9, p_values={}) for m in "ab"}
    board = build_leaderboard(config, Corpora(DEMO), runs, tests, {("c", "ns"): "no words"})
    assert {row.kind for row in board.rows} == {"model", "human", "published"}
    assert "New Sentence: c is left out: no words." in board.warnings
    assert set(board.provenance["inputs"]) == {"demo"}
    means = [row.mean for row in board.rows if row.mean is not None]
    assert means == [round(mean, 6) for mean in means]


def test_models_that_lack_items_or_likelihoods_are_named(runs):
    (line,) = lacking_lines(runs)
    assert line.startswith("New Sentence: b has no prediction for 20 of 60 items (sentence 's")
    assert line.endswith("ranks are over the 40 items that all models have.")
    assert no_likelihood_lines(runs) == [
        "New Sentence: b has log_prob for 5 of 40 scanpaths, so no likelihood."
    ]


def test_settings_without_a_human_row_are_named():
    rows = [nld("a", 0.5, 1), nld("Human", 0.6, None, "human")]
    assert no_human_lines(rows) == []
    assert no_human_lines(rows[:1]) == ["New Sentence: no Human row, no sentence was read by two readers."]


def test_left_to_right_is_mentioned_where_it_beats_a_model_or_the_readers():
    simple = nld("left-to-right", 0.5, 1, human_minus_model=0.05, human_minus_model_ci95=(0.01, 0.09))
    rows = [simple, nld("a", 0.6, 2), nld("Human", 0.55, None, "human")]
    (line,) = left_to_right_lines(rows, "ns")
    assert "has an NLD of 0.500, lower than the other model and separably nearer to the readers" in line
    assert left_to_right_lines(rows[1:], "ns") == []
    last = replace(simple, rank=2, human_minus_model_ci95=(-0.01, 0.09))
    assert left_to_right_lines([last, nld("a", 0.4, 1)], "ns") == []

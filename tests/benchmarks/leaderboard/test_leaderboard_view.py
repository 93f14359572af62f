from __future__ import annotations

from dataclasses import replace

import pytest

from scandl.errors import ScandlError
from scandl_eval.leaderboard.board_rows import BoardRow, Leaderboard
from scandl_eval.leaderboard.leaderboard_view import console, markdown, ordered_models
from scandl_eval.running.board import left_to_right_lines


def row(model, metric, mean, **more):
    kind = {"Human": "human", "ScanDL": "published"}.get(model, "model")
    return BoardRow(setting="ns", model=model, kind=kind, metric=metric, n=10, mean=mean, **more)


BOARD = Leaderboard(
    [
        row(
            "markov",
            "nld",
            0.7,
            ci95=(0.6, 0.8),
            rank=2,
            rank_interval=(1, 3),
            tied_with_best=True,
            dagger=True,
        ),
        row("left-to-right", "nld", 0.5, ci95=(0.4, 0.6), rank=1, rank_interval=(1, 1), tied_with_best=True),
        row("markov", "energy", 0.1, rank=1, tied_with_best=True),
        row("left-to-right", "energy", 0.4, rank=2, tied_with_best=False),
        row("markov", "diversity", 1.25),
        row("left-to-right", "diversity", 0.0),
        row("markov", "bits-per-fixation", -2.5, rank=1),
        row("Human", "nld", 0.55),
        row("ScanDL", "nld-scandl", 0.516, note="CELER L1"),
    ],
    {"spec": "words"},
    {"seed": 1},
    ["mind this"],
)


def test_console():
    assert console(BOARD).splitlines()[:5] == [
        "New Sentence (ns), ranked by NLD",
        "model         | NLD    | 95 %             | energy | 95 % | diversity | 95 % | rank",
        "left-to-right | 0.5000 | [0.4000, 0.6000] | 0.4000 | –    | 0.0000    | –    | 1",
        "markov†       | 0.7000 | [0.6000, 0.8000] | 0.1000 | –    | 1.2500    | –    | 2 (1–3) =",
        "Human         | 0.5500 | –                | –      | –    | –         | –    | –",
    ]
    assert "published, not comparable (CELER L1): ScanDL 0.516" in console(BOARD)
    assert console(BOARD).endswith("mind this")


def test_sorted_by_another_metric():
    assert ordered_models(BOARD, "ns", "energy") == ["markov", "left-to-right"]
    assert ordered_models(BOARD, "ns", "diversity") == ["markov", "left-to-right"]  # 0.25 and 1 away from 1
    lines = console(BOARD, sort="bits-per-fixation").splitlines()
    assert lines[1].split(" | ")[-2:] == ["95 %", "rank"]
    assert lines[1].split(" | ")[-3] == "bits   "
    assert lines[2].endswith("| -2.5000 | –    | 1")
    with pytest.raises(ScandlError, match="no metric 'enrgy'; did you mean 'energy'"):
        console(BOARD, sort="enrgy")


def test_markdown():
    lines = markdown(BOARD).splitlines()
    assert lines[0] == "**New Sentence (ns), ranked by NLD**"
    assert lines[3] == "|" + " --- |" * 8
    assert lines[4] == "| left-to-right | 0.5000 | [0.4000, 0.6000] | 0.4000 | – | 0.0000 | – | 1 |"


def test_left_to_right_is_named_when_it_is_not_beaten():
    start = (
        "New Sentence: left-to-right, which fixates each word once and learned nothing, has an NLD of 0.500"
    )
    end = ". NLD rewards a central path: judge by energy and diversity."
    assert left_to_right_lines(BOARD.rows, "ns") == [f"{start}, lower than the other model{end}"]

    def nearer(low):
        changed = {"human_minus_model": 0.05, "human_minus_model_ci95": (low, 0.1)}
        return [replace(r, **changed) if r.model == "left-to-right" else r for r in BOARD.rows]

    assert left_to_right_lines(nearer(-0.01), "ns") == left_to_right_lines(BOARD.rows, "ns")
    assert left_to_right_lines(nearer(0.01), "ns") == [
        f"{start}, lower than the other model and separably nearer to the readers than they are to each other "
        f"(0.550 on the same items, difference 0.050 [0.0100, 0.1000]){end}"
    ]
    behind = [replace(r, rank=3 - r.rank) if r.rank else r for r in BOARD.rows]
    assert left_to_right_lines(behind, "ns") == []
    equal = [replace(r, rank=1) if r.rank else r for r in BOARD.rows]
    assert left_to_right_lines(equal, "ns") == []


def test_order_is_that_of_the_ranks_which_rest_on_shared_items():
    """A model may look better on its own items and be worse on those that all models have."""
    rows = [row("few", "nld", 0.4, rank=2), row("all", "nld", 0.5, rank=1), row("alone", "nld", 0.3)]
    board = Leaderboard(rows, {}, {}, [])
    assert ordered_models(board, "ns") == ["all", "few", "alone"]

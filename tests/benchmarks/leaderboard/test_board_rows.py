"""The file of a leaderboard: everything is in it, and faults are one line."""

from __future__ import annotations

import json

import pytest

from scandl.errors import DataError
from scandl_eval.leaderboard.board_rows import BoardRow, Leaderboard, read_leaderboard, write_leaderboard


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


def test_files_hold_everything(tmp_path):
    write_leaderboard(BOARD, tmp_path)
    assert read_leaderboard(tmp_path) == BOARD
    header, first = (tmp_path / "leaderboard.csv").read_text().splitlines()[:2]
    cells = dict(zip(header.split(","), first.split(","), strict=True))
    assert (cells["ci_low"], cells["ci_high"], cells["rank_low"], cells["p_holm"]) == ("0.6", "0.8", "1", "")


def test_absent_and_broken_files_are_one_line(tmp_path):
    with pytest.raises(DataError, match="expected the folder of a finished 'scandl-eval run'"):
        read_leaderboard(tmp_path)
    (tmp_path / "leaderboard.json").write_text("{}")
    with pytest.raises(DataError, match="expected a leaderboard"):
        read_leaderboard(tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda t: t["rows"][0].update(mean="high"),
            "ConfigError: setting 'mean': found 'high', expected float",
        ),
        (lambda t: t["rows"][0].update(colour="red"), "ConfigError: unknown setting 'colour'"),
        (lambda t: t["rows"][0].update(ci95=[0.1]), "ValueError: ci95 of '.*' is no pair of numbers"),
        (lambda t: t["rows"][0].update(metric="nldd"), "ValueError: no metric 'nldd'; did you mean 'nld'"),
        (
            lambda t: t["rows"][0].pop("model"),
            "TypeError: .*missing 1 required keyword-only argument: 'model'",
        ),
        (lambda t: t.update(rows=3), "TypeError: 'int' object is not iterable"),
        (lambda t: t.update(rows=[[1]]), "AttributeError: 'list' object has no attribute 'items'"),
        (lambda t: t.update(provenance=3), "TypeError: 'int' object is not iterable"),
    ],
)
def test_a_leaderboard_that_was_edited_by_hand_is_one_line(tmp_path, change, message):
    write_leaderboard(BOARD, tmp_path)
    file = tmp_path / "leaderboard.json"
    table = json.loads(file.read_text())
    change(table)
    file.write_text(json.dumps(table))
    with pytest.raises(DataError, match=f"leaderboard.json: found {message}.*, expected a leaderboard"):
        read_leaderboard(tmp_path)

"""The file of a leaderboard: everything is in it, and faults are one line."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from scandl.errors import DataError, ScandlError
from scandl.files.manifest import write_manifest
from scandl_eval.leaderboard.leaderboard import (
    Leaderboard,
    console,
    markdown,
    ordered_models,
    read_leaderboard,
    write_leaderboard,
)
from scandl_eval.running.board import left_to_right_lines
from scandl_eval.scoring.rows import Row


def row(model, metric, mean, **more):
    kind = {"Human": "human", "ScanDL": "published"}.get(model, "model")
    return Row(setting="ns", model=model, kind=kind, metric=metric, n=10, mean=mean, **more)


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


def sealed(folder):
    """Write the manifest of a folder that has a leaderboard and nothing else."""
    write_manifest(folder, folder.glob("leaderboard.*"), {})
    return folder


def test_files_hold_everything(tmp_path):
    write_leaderboard(BOARD, tmp_path)
    sealed(tmp_path)
    assert read_leaderboard(tmp_path) == BOARD
    header, first = (tmp_path / "leaderboard.csv").read_text().splitlines()[:2]
    cells = dict(zip(header.split(","), first.split(","), strict=True))
    assert (cells["ci_low"], cells["ci_high"], cells["rank_low"], cells["p_holm"]) == ("0.6", "0.8", "1", "")


def test_absent_and_broken_files_are_one_line(tmp_path):
    with pytest.raises(DataError, match="expected the folder of a finished 'scandl-eval run'"):
        read_leaderboard(tmp_path)
    (tmp_path / "leaderboard.json").write_text("{}")
    with pytest.raises(DataError, match=r"found no manifest.json, expected a finished run"):
        read_leaderboard(tmp_path)
    with pytest.raises(DataError, match="expected a leaderboard"):
        read_leaderboard(sealed(tmp_path))
    for file in ("leaderboard.json", "leaderboard.csv"):
        write_leaderboard(BOARD, tmp_path)
        sealed(tmp_path)
        (tmp_path / file).write_bytes((tmp_path / file).read_bytes()[:-40])
        with pytest.raises(DataError, match=f"{file}: found other content than its checksum"):
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
        (lambda t: t["rows"][0].update(mean=10**400), "OverflowError: int too large to convert to float"),
        (
            lambda t: t["rows"][0].update(ci95=[0, 10**400]),
            "OverflowError: int too large to convert to float",
        ),
        (lambda t: t["rows"][0].update(mean=float("inf")), "ValueError: mean of 'markov' is not finite"),
        (lambda t: t["rows"][0].update(mean=float("nan")), "ValueError: mean of 'markov' is not finite"),
    ],
)
def test_a_leaderboard_that_was_edited_by_hand_is_one_line(tmp_path, change, message):
    write_leaderboard(BOARD, tmp_path)
    file = tmp_path / "leaderboard.json"
    table = json.loads(file.read_text())
    change(table)
    file.write_text(json.dumps(table))
    with pytest.raises(DataError, match=f"leaderboard.json: found {message}.*, expected a leaderboard"):
        read_leaderboard(sealed(tmp_path))


def test_console():
    assert console(BOARD).splitlines()[:5] == [
        "New Sentence (ns), ranked by energy",
        "model         | NLD    | 95 %             | energy | 95 % | diversity | 95 % | rank",
        "markov†       | 0.7000 | [0.6000, 0.8000] | 0.1000 | –    | 1.2500    | –    | 1",
        "left-to-right | 0.5000 | [0.4000, 0.6000] | 0.4000 | –    | 0.0000    | –    | 2",
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


def test_a_run_without_energy_is_ranked_by_nld():
    without = Leaderboard([row for row in BOARD.rows if row.metric != "energy"], {}, {}, ["mind this"])
    lines = console(without).splitlines()
    assert lines[0] == "New Sentence (ns), ranked by NLD"
    assert [line.split()[0] for line in lines[2:4]] == ["left-to-right", "markov†"]
    with pytest.raises(
        ScandlError, match="no scanmatch in this run.* .'scandl-eval run --metrics scanmatch'"
    ):
        console(without, sort="scanmatch")


def test_readers_who_are_no_people_are_not_called_human():
    rows = [replace(r, model="simulated readers") if r.kind == "human" else r for r in BOARD.rows]
    board = Leaderboard(rows, {}, {}, [])
    assert board.readers == "simulated readers"
    assert "Human" not in console(board)
    found = board.find("ns", "Human", "nld")
    assert found is not None
    assert found.mean == 0.55


def test_markdown():
    lines = markdown(BOARD).splitlines()
    assert lines[0] == "**New Sentence (ns), ranked by energy**"
    assert lines[3] == "|" + " --- |" * 8
    assert lines[5] == "| left-to-right | 0.5000 | [0.4000, 0.6000] | 0.4000 | – | 0.0000 | – | 2 |"


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
        f"{start}, lower than the other model and clearly nearer to the readers than they are to each other "
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

"""The log of a training: what a resumed run repeats stands there once."""

from __future__ import annotations

import csv
from pathlib import Path

from scandl.training.training_log import Log


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_known_numbers_share_a_line_and_others_have_their_own(tmp_path: Path) -> None:
    log = Log(tmp_path / "run" / "log.csv", step=0)
    log.write(step=1, loss=0.5, lr=0.1, validation_nld=0.7)
    first, second = rows(tmp_path / "run" / "log.csv")
    assert (first["loss"], first["lr"], first["name"]) == ("0.5", "0.1", "")
    assert (second["step"], second["name"], second["value"]) == ("1", "validation_nld", "0.7")


def test_a_resumed_run_cuts_off_what_it_will_repeat(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    log = Log(path, step=0)
    for step in range(1, 6):
        log.write(step=step, loss=float(step))
    Log(path, step=3).write(step=4, loss=44.0)
    assert [(row["step"], row["loss"]) for row in rows(path)] == [
        ("1", "1.0"),
        ("2", "2.0"),
        ("3", "3.0"),
        ("4", "44.0"),
    ]


def test_a_new_run_starts_a_new_log(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    Log(path, step=0).write(step=1, loss=1.0)
    Log(path, step=0)
    assert rows(path) == []

"""Provenance: hashes of inputs, and nothing that varies but the date."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

from scandl.files.provenance import provenance, sha256, write_sidecar


def test_files_and_folders_are_hashed_by_content(tmp_path: Path) -> None:
    file = tmp_path / "corpus" / "a.csv"
    file.parent.mkdir()
    file.write_bytes(b"x,y\n")
    assert sha256(file) == hashlib.sha256(b"x,y\n").hexdigest()
    before = sha256(file.parent)
    file.rename(file.with_name("b.csv"))
    assert sha256(file.parent) != before


def test_two_calls_differ_in_the_date_alone(tmp_path: Path) -> None:
    file = tmp_path / "preds.csv"
    file.write_text("a\n")
    one, two = (
        provenance(["scandl-eval", "nld", "--pred", "my preds.csv"], seed=3, inputs=[file]) for _ in range(2)
    )
    assert replace(one, date="") == replace(two, date="")
    assert one.command == "scandl-eval nld --pred 'my preds.csv'"
    assert one.as_dict()["inputs"] == {str(file): sha256(file)}
    assert one.seed == 3


def test_beside_a_table_stands_how_it_was_made(tmp_path: Path) -> None:
    made_by = provenance(["scandl-analysis", "measures"], seed=2)
    path = write_sidecar(tmp_path / "words.csv", {"measures": {"variant": "paper"}}, ["a note"], made_by)
    assert path == tmp_path / "words.csv.json"
    assert json.loads(path.read_text()) == {
        "schema": 1,
        "table": "words.csv",
        "settings": {"measures": {"variant": "paper"}},
        "notes": ["a note"],
        "provenance": made_by.as_dict(),
    }

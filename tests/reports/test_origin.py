"""Where a report comes from: every field of a provenance, readable."""

from __future__ import annotations

from pathlib import Path

from scandl.files.provenance import provenance
from scandl_reports.origin import provenance_rows


def test_every_known_field_has_its_row(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x")
    made = provenance(seed=3, inputs=[tmp_path / "a.csv"]).as_dict()
    rows = dict(provenance_rows(made))
    assert rows["seed"] == "3"
    assert rows[f"input {tmp_path / 'a.csv'}"].startswith("sha256 ")
    known = {name.replace("_", " ") for name, value in made.items() if value is not None and name != "inputs"}
    assert known <= set(rows)


def test_what_is_not_known_is_left_out() -> None:
    assert provenance_rows({"git_revision": None, "inputs": {}}) == ()

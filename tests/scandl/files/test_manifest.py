"""The manifest of a run: every table is proved, and what is not the run's own is named."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest

from scandl.errors import DataError
from scandl.files.manifest import MANIFEST, check_run, read_manifest, write_manifest


@pytest.fixture
def run(tmp_path: Path) -> Path:
    for name in (
        "run.toml",
        "leaderboard.csv",
        "predictions/m/ns.csv",
        "scores/m/ns.csv",
        "splits/ns-0.json",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"{name}\n")
    write_manifest(tmp_path, [tmp_path / "run.toml", tmp_path / "leaderboard.csv"], {"seed": 7})
    return tmp_path


def test_it_has_the_checksum_of_every_file(run: Path) -> None:
    written = json.loads((run / MANIFEST).read_text())
    assert written["files"] == {
        name: hashlib.sha256(f"{name}\n".encode()).hexdigest()
        for name in (
            "leaderboard.csv",
            "predictions/m/ns.csv",
            "run.toml",
            "scores/m/ns.csv",
            "splits/ns-0.json",
        )
    }
    assert written["made_by"] == {"seed": 7}
    assert {"python", "numpy"} <= written["versions"].keys()
    assert read_manifest(run).faults() == []
    check_run(run)


def test_what_is_missing_changed_or_not_its_own_is_named(run: Path) -> None:
    (run / "scores/m/ns.csv").unlink()
    (run / "predictions/m/ns.csv").write_text("other\n")
    (run / "predictions/m/nr.csv").write_text("new\n")
    (run / "notes.txt").write_text("not a table of the run\n")
    told = [
        str(fault).removeprefix(f"{run}/").split(", expected")[0] for fault in read_manifest(run).faults()
    ]
    assert told == [
        "predictions/m/nr.csv: found a table that is not the run's",
        "predictions/m/ns.csv: found other content than its checksum",
        "scores/m/ns.csv: found no file",
    ]
    manifest = read_manifest(run)
    manifest.check(run / "run.toml", run / "scores/m/ns.csv")  # what is not there, its reader says
    with pytest.raises(DataError, match="predictions/m/ns.csv: found other content than its checksum"):
        manifest.check(run / "run.toml", run / "predictions/m/ns.csv")
    with pytest.raises(DataError, match="found other content"):
        check_run(run)


def test_any_other_byte_of_the_manifest_itself_is_found(run: Path) -> None:
    """The last entry is the checksum of the text without it."""
    path = run / MANIFEST
    whole = path.read_bytes()
    others = json.loads(whole)
    own = others.pop("sha256")
    assert own == hashlib.sha256(json.dumps(others, indent=2, ensure_ascii=False).encode()).hexdigest()
    for at in range(0, len(whole), 7):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(DataError, match=re.escape(MANIFEST)):
            read_manifest(run)
    path.write_bytes(whole + b"\n")
    with pytest.raises(DataError, match="found other content than its checksum"):
        read_manifest(run)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "found no manifest.json, expected a finished run"),
        (b"{", "manifest.json: found JSONDecodeError: "),
        (b"\xff", "manifest.json: found UnicodeDecodeError: "),
        (b"[]", "manifest.json: column 'files': found no checksums by name"),
        (b'{"files": {"a": 1}}', "manifest.json: column 'files': found no checksums by name"),
    ],
)
def test_a_manifest_that_is_none(run: Path, content: bytes | None, message: str) -> None:
    (run / MANIFEST).unlink()
    if content is not None:
        (run / MANIFEST).write_bytes(content)
    with pytest.raises(DataError, match=re.escape(message)):
        read_manifest(run)

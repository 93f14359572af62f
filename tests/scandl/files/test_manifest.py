"""The manifest of a run: every table is proved, and what is not the run's own is named."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from scandl.corpora import Card, Corpus
from scandl.corpora.corpus import corpus_digest
from scandl.errors import DataError
from scandl.files.manifest import (
    CHECKSUMS,
    MANIFEST,
    Pieces,
    check_run,
    code_digest,
    read_manifest,
    write_manifest,
)
from scandl.records import Scanpath, Sentence


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


CORPUS = Corpus(
    Card(name="tiny"),
    {"s1": Sentence("s1", "one two three")},
    (Scanpath("r1", "s1", (0, 1), (200.0, 180.0)),),
    {"cloze": {"s1": ("0", ".5", ".2")}},
)


def test_corpus_digest_depends_on_content_alone():
    same = replace(CORPUS, card=Card(name="another name", notes="moved"))
    assert corpus_digest(same) == corpus_digest(CORPUS)
    changed = [
        replace(CORPUS, scanpaths=(Scanpath("r1", "s1", (0, 2), (200.0, 180.0)),)),
        replace(CORPUS, scanpaths=(Scanpath("r1", "s1", (0, 1), (200.0, 181.0)),)),
        replace(CORPUS, sentences={"s1": Sentence("s1", "one two four")}),
        replace(CORPUS, words={"cloze": {"s1": ("0", ".5", ".3")}}),
    ]
    assert len({corpus_digest(corpus) for corpus in [CORPUS, *changed]}) == 5


def test_code_digest_covers_a_strangers_file(tmp_path):
    module = tmp_path / "stranger.py"
    digests = []
    for n in (1, 2):
        module.write_text(f"class Reader:\n    pace = {n}\n")
        digests.append(code_digest(module))
    assert len({*digests, code_digest()}) == 3


def made(pieces, name, key, text="x"):
    path = pieces.path(name, key * 64, ".csv")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    pieces.seal(path)
    return path


def test_other_versions_of_a_piece_go_and_other_work_stays(tmp_path):
    pieces = Pieces(tmp_path)
    current, old = made(pieces, "markov/ns-0", "a"), made(pieces, "markov/ns-0", "b")
    other_fold, other_model = made(pieces, "markov/ns-1", "c"), made(pieces, "gone/ns-0", "d")
    half_written = tmp_path / "markov" / ".ns-0-x.csv"
    half_written.touch()
    pieces.drop_outdated({current})
    assert not old.exists()
    assert not half_written.exists()
    again = Pieces(tmp_path)
    assert [
        again.path(*task, ".csv").exists()
        for task in (
            ("markov/ns-0", "a" * 64),
            ("markov/ns-1", "c" * 64),
            ("gone/ns-0", "d" * 64),
        )
    ] == [True, True, True]
    assert other_fold.exists()
    assert other_model.exists()


@pytest.mark.parametrize("damage", ["", "reader,path\n", "reader,path\nr,0 1\nq,1 3\n"])
def test_a_piece_that_is_not_what_was_written_is_made_again(tmp_path, damage):
    path = made(Pieces(tmp_path), "markov/ns-0", "a", "reader,path\nr,0 1\nq,1 2\n")
    path.write_text(damage)
    assert not Pieces(tmp_path).path("markov/ns-0", "a" * 64, ".csv").exists()


def test_the_list_is_what_sha256sum_reads_and_a_torn_line_costs_one_piece(tmp_path):
    pieces = Pieces(tmp_path)
    first, second = made(pieces, "markov/ns-0", "a"), made(pieces, "markov/ns-1", "b")
    sums = tmp_path / CHECKSUMS
    expected = [f"{hashlib.sha256(b'x').hexdigest()}  {p.relative_to(tmp_path)}" for p in (first, second)]
    assert sums.read_text().splitlines() == expected
    sums.write_text(sums.read_text()[:-5])
    torn = Pieces(tmp_path)
    assert [torn.path(f"markov/ns-{n}", key * 64, ".csv").exists() for n, key in enumerate("ab")] == [
        True,
        False,
    ]

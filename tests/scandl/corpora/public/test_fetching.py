"""Made-up files from a server of the test's own, and by file: no test reaches the network."""

from __future__ import annotations

import errno
import hashlib
import io
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from scandl.corpora.public.declaration import Declaration, declared, read_declaration
from scandl.corpora.public.fetching import fetch
from scandl.errors import DataError, ScandlError

pymovements = pytest.importorskip("pymovements")

FIXATIONS = "text,word,ms,label\ns1,1,200,Yes\ns1,2,150,indeed.\n"


@dataclass
class Site:
    address: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    cut: set[str] = field(default_factory=set)  # sent half, once
    asked: list[str] = field(default_factory=list)


@pytest.fixture
def site() -> Iterator[Site]:
    found = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            name = self.path.lstrip("/")
            found.asked.append(name)
            if name not in found.files:
                self.send_error(404)
                return
            body = found.files[name]
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            # pymovements asks once for where the address leads and once for the file itself
            if name in found.cut and found.asked.count(name) == 2:
                body = body[: len(body) // 2]
            self.wfile.write(body)

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    found.address = f"http://127.0.0.1:{server.server_port}"
    yield found
    server.shutdown()
    server.server_close()


def declaration(address: str, file: str = "a1_fix.csv", more: str = "") -> Declaration:
    return declared(
        f"""
title = "T"
obtain = "its owners"
[card]
licence = "CC0"
[[downloads]]
url = "{address}"
file = "{file}"
{more}
[fixations]
files = "*_fix.csv"
file_name = '(?P<who>\\w+)_fix'
index_base = 1
columns = {{ reader_id = "{{who}}", sentence_id = "text", word_index = "word", duration_ms = "ms", word = "label" }}
""",
        "made-up",
    )


def test_a_file_is_fetched_once_and_its_bytes_are_on_the_card(site: Site, tmp_path: Path) -> None:
    site.files["a1_fix.csv"] = FIXATIONS.encode()
    said: list[str] = []
    wanted = declaration(f"{site.address}/a1_fix.csv")
    corpus = fetch(wanted, tmp_path, say=said.append)
    assert corpus.scanpaths[0].positions == (0, 1)
    assert corpus.card.checksums == {"a1_fix.csv": hashlib.sha256(FIXATIONS.encode()).hexdigest()}
    assert said == ["fetching a1_fix.csv"]
    asked = len(site.asked)
    assert fetch(wanted, tmp_path).card == corpus.card
    assert len(site.asked) == asked
    (tmp_path / "a1_fix.csv").write_text("spoilt")
    assert fetch(wanted, tmp_path).card == corpus.card
    assert len(site.asked) > asked


def test_a_cut_leaves_nothing_and_is_taken_up_where_it_was(site: Site, tmp_path: Path) -> None:
    site.files = {"a1_fix.csv": FIXATIONS.encode(), "a2_fix.csv": FIXATIONS.encode()}
    site.cut = {"a2_fix.csv"}
    wanted = declaration(f"{site.address}/a{{n}}_fix.csv", "a{n}_fix.csv", "each = { n = 2 }")
    with pytest.raises(
        ScandlError, match=r"a2_fix\.csv: .*got only.*; what was fetched is kept, so try again"
    ):
        fetch(wanted, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"a1_fix.csv", "SHA256SUMS"}
    assert fetch(wanted, tmp_path).reader_ids == ["a1", "a2"]
    assert site.asked.count("a1_fix.csv") == 2  # by the first of the two calls alone


def test_another_checksum_is_refused(site: Site, tmp_path: Path) -> None:
    site.files["a1_fix.csv"] = FIXATIONS.encode()
    wanted = declaration(f"{site.address}/a1_fix.csv", more=f'sha256 = "{"0" * 64}"')
    with pytest.raises(DataError, match="found SHA-256 [0-9a-f]{64}, expected 0{64}"):
        fetch(wanted, tmp_path)
    assert not list(tmp_path.iterdir())


def test_pymovements_names_the_address_and_its_checksum(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.files["fix"] = FIXATIONS.encode()
    source = {"url": f"{site.address}/fix", "filename": "a1_fix.csv", "md5": "0" * 32}
    found = pymovements.DatasetDefinition(
        name="MadeUp", resources=[{"content": "precomputed_events", "source": source}]
    )
    monkeypatch.setattr(pymovements.DatasetLibrary, "get", lambda name: found)
    wanted = declared(
        'title = "T"\nobtain = "o"\n[[downloads]]\npymovements = "MadeUp"\n[fixations]\nfiles = "*_fix.csv"\n'
        "columns = {}\n",
        "made-up",
    )
    with pytest.raises(ScandlError, match="MD5"):
        fetch(wanted, tmp_path)
    assert not list(tmp_path.iterdir())


def test_an_archive_of_pymovements_is_fetched_checked_and_unpacked(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """OneStop's form: two archives of one table each, whose MD5 pymovements knows."""
    trial = "participant_id\tunique_paragraph_id\trepeated_reading_trial\tpractice_trial\t"
    tables = {
        "ia_Paragraph.csv": trial + "IA_ID\tIA_LABEL\nl1\t2_1_1_Ele\tFalse\tFalse\t0\tRan!\n",
        "fixations_Paragraph.csv": trial
        + "CURRENT_FIX_INTEREST_AREA_INDEX\tCURRENT_FIX_INTEREST_AREA_LABEL\tCURRENT_FIX_DURATION\n"
        + "l1\t2_1_1_Ele\tFalse\tFalse\t1\tRan!\t200\n",
    }
    resources = []
    for content, (name, text) in zip(
        ("precomputed_reading_measures", "precomputed_events"), tables.items(), strict=True
    ):
        kept = io.BytesIO()
        with zipfile.ZipFile(kept, "w") as archive:
            archive.writestr(name, text)
        site.files[f"{name}.zip"] = kept.getvalue()
        source = {"url": f"{site.address}/{name}.zip", "filename": f"{name}.zip"}
        source["md5"] = hashlib.md5(kept.getvalue(), usedforsecurity=False).hexdigest()
        resources.append({"content": content, "source": source})
    found = pymovements.DatasetDefinition(name="OneStop", resources=resources)
    monkeypatch.setattr(pymovements.DatasetLibrary, "get", lambda name: found)
    site.cut = {"fixations_Paragraph.csv.zip"}
    with pytest.raises(ScandlError, match="what was fetched is kept"):
        fetch(read_declaration("onestop"), tmp_path)
    corpus = fetch(read_declaration("onestop"), tmp_path)
    assert corpus.by_pair["l1", "2_1_1_Ele_s0"].positions == (0,)
    assert set(corpus.card.checksums) == set(tables)
    assert site.asked.count("ia_Paragraph.csv.zip") == 2


def test_a_disk_that_is_full_while_unpacking_leaves_nothing_half_done(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w") as archive:
        archive.writestr("a1_fix.csv", FIXATIONS)
    site.files["all.zip"] = kept.getvalue()

    def full(archive: Path, folder: Path) -> None:
        (Path(folder) / "a1_fix.csv").write_text("half")
        raise OSError(errno.ENOSPC, "No space left on device")

    wanted = declaration(f"{site.address}/all.zip", "all.zip")
    with monkeypatch.context() as patched:
        patched.setattr("shutil.unpack_archive", full)
        with pytest.raises(OSError, match=r"No space left on device: .*all\.zip-unpacked"):
            fetch(wanted, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"all.zip", "SHA256SUMS"}
    assert fetch(wanted, tmp_path).reader_ids == ["a1"]


def test_an_archive_is_unpacked(tmp_path: Path) -> None:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w") as archive:
        archive.writestr("inner/a1_fix.csv", FIXATIONS)
    (tmp_path / "served.zip").write_bytes(kept.getvalue())
    address = (tmp_path / "served.zip").as_uri()
    corpus = fetch(declaration(address, "all.zip"), tmp_path / "files")
    assert corpus.reader_ids == ["a1"]
    with zipfile.ZipFile(tmp_path / "served.zip", "w") as archive:
        archive.writestr("inner/a2_fix.csv", FIXATIONS)
    (tmp_path / "files" / "all.zip").unlink()
    assert fetch(declaration(address, "all.zip"), tmp_path / "files").reader_ids == ["a2"]
    (tmp_path / "served.zip").write_bytes(b"no archive")
    with pytest.raises(DataError, match=r"all\.zip: found .* expected an archive"):
        fetch(declaration(address, "all.zip"), tmp_path / "others")


def test_files_that_never_were_are_said(site: Site, tmp_path: Path) -> None:
    site.files["a1_fix.csv"] = FIXATIONS.encode()
    address = f"{site.address}/a{{n}}_fix.csv"
    said: list[str] = []
    more = "each = { n = 2 }\ngaps = true"
    corpus = fetch(declaration(address, "a{n}_fix.csv", more), tmp_path, say=said.append)
    assert corpus.reader_ids == ["a1"]
    assert said[-1] == f"a2_fix.csv: not there ({site.address}/a2_fix.csv)"
    with pytest.raises(ScandlError, match="HTTP Error 404"):
        fetch(declaration(address, "a{n}_fix.csv", "each = { n = 2 }"), tmp_path)


def test_offline_and_a_full_disk_are_one_line(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = declaration("http://127.0.0.1:9/a1_fix.csv")
    with pytest.raises(ScandlError, match=r"^http://127\.0\.0\.1:9/a1_fix\.csv: .*refused.*--from FOLDER$"):
        fetch(nowhere, tmp_path)

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    site.files["a1_fix.csv"] = FIXATIONS.encode()
    monkeypatch.setattr("urllib.request.urlretrieve", full)
    with pytest.raises(ScandlError, match="No space left on device"):
        fetch(declaration(f"{site.address}/a1_fix.csv"), tmp_path)
    assert not list(tmp_path.iterdir())


def test_an_altered_layout_is_named_and_nothing_is_asked_of_the_network(tmp_path: Path) -> None:
    path = tmp_path / "a1_fix.csv"
    path.write_text(FIXATIONS.replace("label", "etikett"))
    with pytest.raises(DataError) as caught:
        fetch(declaration("http://127.0.0.1:9/"), tmp_path, given=True)
    assert str(caught.value).startswith(f"{path}:1: column 'label': found only the columns text, word, ms")


def test_what_has_no_address_says_where_it_is(tmp_path: Path) -> None:
    wanted = declared(
        'title = "T"\nobtain = "ask its owners"\n[fixations]\nfiles = "f"\ncolumns = {}\n', "made-up"
    )
    with pytest.raises(ScandlError, match="made-up is not fetched: ask its owners"):
        fetch(wanted, tmp_path)

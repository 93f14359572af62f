"""Results are whole or not there at all."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from scandl.errors import DataError, ScandlError
from scandl.files.results import (
    atomic_file,
    atomic_folder,
    cache_folder,
    locked,
    provenance,
    sha256,
    write_sidecar,
    write_text,
)


class DiskFull(OSError):
    pass


def test_a_full_disk_leaves_the_previous_file(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    write_text(path, "old\n")
    with pytest.raises(DiskFull), atomic_file(path) as temporary:
        temporary.write_text("half of the ne")
        raise DiskFull
    assert path.read_text() == "old\n"
    assert [p.name for p in tmp_path.iterdir()] == ["out.csv"]


def test_a_full_disk_names_the_file_that_was_to_be_written(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    with pytest.raises(OSError, match=r"No space left on device: '.*out\.csv'$"), atomic_file(path):
        raise OSError(errno.ENOSPC, "No space left on device")
    with (
        pytest.raises(OSError, match=r"No space left on device: '.*corpus'$"),
        atomic_folder(tmp_path / "corpus"),
    ):
        raise OSError(errno.ENOSPC, "No space left on device")
    with pytest.raises(FileNotFoundError, match=r"absent\.csv"), atomic_file(path):
        (tmp_path / "absent.csv").read_text()


def test_half_a_character_is_spelt_out(tmp_path: Path) -> None:
    write_text(tmp_path / "a.json", json.dumps({"command": "x \udcff"}, ensure_ascii=False))
    assert json.loads((tmp_path / "a.json").read_text()) == {"command": "x \udcff"}


def test_control_c_leaves_the_previous_folder(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "a.csv").write_text("old")
    with pytest.raises(KeyboardInterrupt), atomic_folder(folder) as temporary:
        (temporary / "a.csv").write_text("new")
        raise KeyboardInterrupt
    assert (folder / "a.csv").read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["corpus"]


def test_a_folder_is_replaced_as_a_whole(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "gone.csv").write_text("old")
    with atomic_folder(folder) as temporary:
        (temporary / "new.csv").write_text("new")
    assert [p.name for p in folder.iterdir()] == ["new.csv"]
    assert [p.name for p in tmp_path.iterdir()] == ["corpus"]


def test_what_cannot_be_written_is_named_as_the_user_named_it(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"found a folder, expected the name of a file to write") as caught:
        write_text(tmp_path, "x")
    assert caught.value.path == tmp_path
    with pytest.raises(OSError, match=r"out\.csv'$"):
        write_text("/proc/out.csv", "x")
    assert not list(tmp_path.iterdir())


def test_a_result_is_readable_by_others(tmp_path: Path) -> None:
    mask = os.umask(0o022)
    try:
        write_text(tmp_path / "deep" / "out.txt", "x")
    finally:
        os.umask(mask)
    assert (tmp_path / "deep" / "out.txt").stat().st_mode & 0o777 == 0o644


def test_a_device_and_a_pipe_are_written_into(tmp_path: Path) -> None:
    write_text("/dev/null", "x")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    (tmp_path / "link").symlink_to(pipe)
    for name in ("pipe", "link"):
        with ThreadPoolExecutor(1) as pool:
            read = pool.submit(pipe.read_text)
            write_text(tmp_path / name, "a result\n")
            assert read.result() == "a result\n"
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "pipe"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_device_is_named(tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to("/dev/full")
    for name in ("/dev/full", tmp_path / "link.json"):
        with pytest.raises(OSError, match=rf"No space left on device: '{name}'$"):
            write_text(name, "x")
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    data, link, dangling = tmp_path / "data" / "real.csv", tmp_path / "link.csv", tmp_path / "new.csv"
    data.parent.mkdir()
    data.write_text("old")
    link.symlink_to(data)
    dangling.symlink_to(tmp_path / "data" / "made.csv")
    write_text(link, "new")
    write_text(dangling, "made")
    assert link.is_symlink()
    assert dangling.is_symlink()
    assert [path.read_text() for path in (data, tmp_path / "data" / "made.csv")] == ["new", "made"]
    folder = tmp_path / "folder"
    folder.symlink_to(data.parent)
    with atomic_folder(folder, owned=["real.csv"]) as temporary:
        (temporary / "real.csv").write_text("newer")
    assert folder.is_symlink()
    assert [path.read_text() for path in (data, data.with_name("made.csv"))] == ["newer", "made"]
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(OSError, match="Too many levels of symbolic links: '.*loop'$"):
        write_text(tmp_path / "loop", "x")


def test_what_may_not_be_written_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "kept.csv"
    path.write_text("old")
    monkeypatch.setattr(os, "access", lambda *_: False)  # as for anyone but root
    with pytest.raises(PermissionError, match=r"Permission denied: '.*kept\.csv'$"):
        write_text(path, "new")
    assert path.read_text() == "old"


def test_an_output_whose_folder_vanishes_is_named(tmp_path: Path) -> None:
    path = tmp_path / "gone" / "out.csv"
    with pytest.raises(OSError, match=r"No such file or directory: '.*gone/out\.csv'$"), atomic_file(path):
        shutil.rmtree(path.parent)


def test_a_result_is_on_the_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    sync, replace_ = os.fsync, os.replace

    def seen(handle: int) -> None:
        told.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        sync(handle)

    def renamed(source: Path, target: Path) -> None:
        told.append("rename")
        replace_(source, target)

    monkeypatch.setattr(os, "fsync", seen)
    monkeypatch.setattr(os, "replace", renamed)
    write_text(tmp_path / "out.txt", "x")
    assert told == ["file", "rename", "folder"]
    told.clear()
    with atomic_folder(tmp_path / "corpus") as temporary:
        write_text(temporary / "a.csv", "x")
    assert told == ["file", "rename", "folder", "folder", "rename", "folder"]


def test_only_what_is_owned_is_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    (folder / "raw" / "deep").mkdir(parents=True)
    for name in ("owned.csv", "outdated.csv", "thesis.txt", "raw/deep/data.mat"):
        (folder / name).write_text("old")
    with atomic_folder(folder, owned=["owned.csv", "outdated.csv"]) as temporary:
        (temporary / "owned.csv").write_text("new")
    there = {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}
    assert there == {"owned.csv": "new", "thesis.txt": "old", "raw/deep/data.mat": "old"}


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


pytest.importorskip("fcntl")
HOLD = "import sys; from scandl.files.results import locked\nwith locked(sys.argv[1]): print('held', flush=True); input()"


def test_the_second_writer_is_told_and_a_killed_one_leaves_nothing(tmp_path: Path) -> None:
    run = tmp_path / "run"
    other = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(run)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=os.environ
    )
    with other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(
            ScandlError, match=r"run: another command is writing into this folder; wait for it"
        ):
            locked(run).__enter__()
        other.kill()
    with locked(run):
        assert list(run.iterdir()) == []
    with locked(run):
        pass


def test_the_user_goes_before_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCANDL_CACHE", "/somewhere/else")
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    assert cache_folder() == Path("/somewhere/else")


@pytest.mark.parametrize(
    ("platform", "expected"),
    [
        ("linux", Path("/xdg/scandl")),
        ("darwin", Path("/their/home/Library/Caches/scandl")),
        ("win32", Path("/local/scandl/cache")),
    ],
)
def test_every_system_has_its_place(platform: str, expected: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SCANDL_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    monkeypatch.setenv("LOCALAPPDATA", "/local")
    monkeypatch.setattr(Path, "home", lambda: Path("/their/home"))
    monkeypatch.setattr(sys, "platform", platform)
    assert cache_folder() == expected


def test_without_a_variable_it_is_below_home(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SCANDL_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: Path("/their/home"))
    monkeypatch.setattr(sys, "platform", "linux")
    assert cache_folder() == Path("/their/home/.cache/scandl")

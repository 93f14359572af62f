"""Results are whole or not there at all."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from scandl.errors import DataError
from scandl.files.atomic_writes import atomic_file, atomic_folder, write_text


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

"""Blocks of a table: joined they are the table that would have been written at once."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from scandl.errors import ScandlError
from scandl.files.prediction_files import prediction_columns, read_predictions, write_predictions
from scandl.models.block_files import BlockFiles, encoded
from scandl.records import Prediction

PREDICTIONS = [
    Prediction(
        f"t{n}",
        tuple(range(n % 3 + 1)),
        text='A "quoted", text.',
        durations=(200.0, 180.5, 99.0)[: n % 3 + 1],
    )
    for n in range(10)
]


def kept(out: Path) -> tuple[BlockFiles, list[str]]:
    """Return the blocks of a table, three predictions each, written in another order."""
    files = BlockFiles(out)
    names = [f"{n:08d}" for n in range(4)]
    for n in (2, 0, 3, 1):
        columns = prediction_columns(PREDICTIONS[3 * n : 3 * n + 3])
        files.write(names[n], encoded(columns, out.suffix))
    return files, names


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_joined_blocks_are_the_table(suffix: str, tmp_path: Path) -> None:
    files, names = kept(tmp_path / f"joined{suffix}")
    assert all(map(files.has, names))
    assert not files.has("00000004")
    assert not files.out.exists()
    files.join(names)
    whole = tmp_path / f"joined-{suffix}"
    write_predictions(whole, PREDICTIONS)
    if suffix != ".parquet":  # whose row groups are the blocks
        assert files.out.read_bytes() == whole.read_bytes()
    assert read_predictions(files.out) == [*read_predictions(whole)]
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == []


def test_a_full_disk_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files, names = kept(tmp_path / "p.csv")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", full)
        with pytest.raises(ScandlError) as caught:
            files.write("00000004", b"x")
        patched.setattr("shutil.copyfileobj", full)
        with pytest.raises(ScandlError):
            files.join(names)
    assert str(caught.value) == (
        f"{tmp_path}/p.csv: No space left on device; what is finished is kept in {tmp_path}/.p.csv.blocks,"
        " make room and run the same command again"
    )
    assert sorted(path.name for path in files.folder.iterdir()) == [f"{name}.csv" for name in names]
    assert not files.out.exists()
    files.join(names)
    assert len(read_predictions(files.out)) == 10


def test_an_empty_folder_is_not_left(tmp_path: Path) -> None:
    files = BlockFiles(tmp_path / "p.csv")
    files.drop_if_empty()
    files.folder.mkdir()
    files.drop_if_empty()
    assert list(tmp_path.iterdir()) == []

"""Files with one sentence per line."""

from __future__ import annotations

from pathlib import Path

import pytest

from scandl.errors import DataError
from scandl.files.text_files import read_lines


def test_blank_lines_and_a_mark_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_bytes("\ufeffOne line.\r\n\n  \nAnother.".encode())
    assert read_lines(tmp_path / "text.txt") == ["One line.", "Another."]


def test_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_bytes("Ein schöner Tag.\n".encode("latin-1"))
    with pytest.raises(DataError, match="found byte 7 that is not UTF-8, expected UTF-8 text"):
        read_lines(path)

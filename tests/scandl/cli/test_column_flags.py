"""The flag for columns of one's own: files are named as before, and carry what was said."""

from __future__ import annotations

import argparse

import pytest

from scandl.cli.column_flags import add_columns
from scandl.errors import ScandlError
from scandl.files.prediction_columns import files_of


def asked(*flags: str) -> list[str]:
    parser = argparse.ArgumentParser()
    add_columns(parser)
    return files_of(["a.csv", "b.csv"], parser.parse_args(flags).column)


def test_without_the_flag_files_are_what_they_were() -> None:
    assert asked() == ["a.csv", "b.csv"]
    assert {type(file) for file in asked()} == {str}


def test_with_it_every_file_has_the_users_word() -> None:
    files = asked("--column", "predicted=path", "--column", "human=eyes")
    assert files == ["a.csv", "b.csv"]  # they are still named by their path
    assert {type(file) for file in files} != {str}


def test_a_meaning_that_there_is_not() -> None:
    with pytest.raises(ScandlError, match="pred"):
        asked("--column", "pred=path")

"""The flag that says which column of a prediction file is which."""

from __future__ import annotations

import argparse
from collections.abc import Sequence


def add_columns(parser: argparse.ArgumentParser) -> None:
    """Add the flag."""
    parser.add_argument(
        "--column", action="append", default=[], metavar="MEANING=NAME",
        help="the column of the prediction files that has a meaning (predicted, human, sentence_id,"
        " reader_id, model, text, …), for example predicted=path; may be repeated",
    )  # fmt: skip


def files_of(files: Sequence[str], columns: Sequence[str]) -> list[str]:
    """Return the files with the user's word for their columns."""
    from scandl.files.prediction_columns import FileWithColumns, parse_meanings

    chosen = parse_meanings(columns)
    return [FileWithColumns(file, chosen) for file in files] if chosen else list(files)

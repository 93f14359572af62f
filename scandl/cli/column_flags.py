"""The flag that says which column of a prediction file is which."""

from __future__ import annotations

import argparse


def add_columns(parser: argparse.ArgumentParser) -> None:
    """Add the flag."""
    parser.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="MEANING=NAME",
        help="the column of the prediction files that has a meaning (predicted, human, sentence_id,"
        " reader_id, model, text, …), for example predicted=path; may be repeated",
    )

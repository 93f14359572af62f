"""The flags that say how a prediction file is to be read."""

from __future__ import annotations

import argparse


def add_columns(parser: argparse.ArgumentParser) -> None:
    """Add which column is which, and what positions count from."""
    parser.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="MEANING=NAME",
        help="the column of the prediction files that has a meaning (predicted, human, sentence_id,"
        " reader_id, model, text, …), for example predicted=path; may be repeated",
    )
    add_index_base(parser)


def add_index_base(parser: argparse._ActionsContainer) -> None:
    """Add what positions count from."""
    parser.add_argument(
        "--index-base",
        type=int,
        choices=(0, 1),
        help="what word positions in the files count from (default 0, with a warning where that looks wrong)",
    )

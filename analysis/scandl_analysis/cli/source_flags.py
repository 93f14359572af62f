"""Where the scanpaths of an analysis come from: a benchmark run, or prediction files and a corpus."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from scandl.cli.flags import add_columns

if TYPE_CHECKING:
    from scandl.cli.commandline import Parser

    Commands = argparse._SubParsersAction[Parser]
    """The commands that a command adds itself to."""


def add_source(parser: argparse.ArgumentParser, *, readers_alone: bool = False) -> None:
    """Add the flags that name the source; ``readers_alone``: a corpus without predictions will do."""
    parser.add_argument("--setting", choices=("ns", "nr", "nrns", "cross"), help="default nrns")
    parser.add_argument("--run", dest="folder", metavar="DIR", help="folder of a benchmark run")
    parser.add_argument(
        "--pred",
        nargs="+",
        action="extend",
        default=[],
        metavar="F",
        help="instead of a run: prediction files, with --corpus",
    )
    alone = "; without --pred its readers alone" if readers_alone else ""
    parser.add_argument("--corpus", metavar="C", help=f"with --pred: name or folder of the corpus{alone}")
    parser.set_defaults(readers_alone=readers_alone)
    parser.add_argument(
        "--strict",
        action="store_true",
        help="fail when a prediction has no human scanpath, or another one than the corpus",
    )
    add_columns(parser)

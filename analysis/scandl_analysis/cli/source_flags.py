"""Where the scanpaths of an analysis come from: a benchmark run, or prediction files and a corpus."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from scandl.cli.column_flags import add_columns, files_of

if TYPE_CHECKING:
    from scandl_analysis.words.analysed_run import Run


def add_source(parser: argparse.ArgumentParser, *, readers_alone: bool = False) -> None:
    """Add the flags that name the source; ``readers_alone``: a corpus without predictions will do."""
    parser.add_argument("--setting", choices=("ns", "nr", "nrns", "cross"), help="default nrns")
    parser.add_argument("--run", dest="folder", metavar="DIR", help="folder of a benchmark run")
    parser.add_argument(
        "--pred", nargs="+", action="extend", default=[], metavar="F",
        help="instead of a run: prediction files, with --corpus",
    )  # fmt: skip
    alone = "; without --pred its readers alone" if readers_alone else ""
    parser.add_argument("--corpus", metavar="C", help=f"with --pred: name or folder of the corpus{alone}")
    parser.set_defaults(readers_alone=readers_alone)
    parser.add_argument(
        "--strict", action="store_true", help="fail when human scanpaths of the files are not the corpus's"
    )
    add_columns(parser)


def check_folder(out: str | None) -> None:
    """Refuse a file where a folder is to be written, or a place that cannot be, before any work."""
    from pathlib import Path

    from scandl.errors import DataError, Fact
    from scandl.files.results import writable

    for path in (Path(out), *Path(out).parents) if out else ():
        if path.exists() and not path.is_dir():
            raise DataError(path, None, None, Fact("a file"), "a folder, or a name that is free (--out)")
    if out and not writable(out):
        raise DataError(out, None, None, Fact("no right to write"), "a folder of your own (--out)")


def open_source(args: argparse.Namespace) -> Run:
    """Return what the flags name; without any, the newest run, or the demo."""
    from scandl.errors import ConfigError, ScandlError
    from scandl_analysis.words.analysed_run import TOGETHER, as_run, open_readers

    if args.corpus is not None and not args.pred and args.readers_alone:
        if args.folder is not None or args.setting is not None:
            raise ConfigError("--corpus without --pred is of readers alone: leave out --run and --setting")
        return open_readers(args.corpus)
    if bool(args.pred) != (args.corpus is not None):
        raise ConfigError(TOGETHER)
    if args.pred and args.folder is not None:
        raise ConfigError("--run and --pred exclude each other: a run has its own predictions")
    if args.column and not args.pred:
        raise ConfigError("--column goes with --pred: a run has columns of ours")
    predictions = files_of(args.pred, args.column) if args.pred else args.folder
    source = as_run(predictions, args.corpus, args.setting)
    if args.strict and source.disagreement is not None:
        raise ScandlError(source.disagreement)
    return source

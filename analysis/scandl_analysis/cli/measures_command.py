"""``scandl-analysis measures``: what the eyes did with each word, or on each scanpath."""

from __future__ import annotations

import argparse
from typing import Any

from scandl.cli.commandline import add_common
from scandl.cli.flags import add_columns
from scandl.errors import ConfigError


def add(subparsers: Any) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "measures",
        help="reading measures per word or per scanpath",
        description="Write a tidy table of reading measures: one row per source, reader, sentence and word.",
    )
    parser.add_argument("--corpus", metavar="C", help="name or folder of a corpus: its readers, or the texts")
    parser.add_argument(
        "--pred",
        nargs="+",
        action="extend",
        default=[],
        metavar="F",
        help="predictions: CSV, Parquet, JSON or JSON lines; may be several files",
    )
    add_columns(parser)
    parser.add_argument("--out", metavar="F", required=True, help="the table, .csv or .parquet")
    parser.add_argument(
        "--variant",
        choices=("paper", "firstpass"),
        help="of words: sr, fpr, ffc, tfc as published with ScanDL, or strictly first pass (default paper)",
    )
    parser.add_argument("--per-scanpath", action="store_true", help="one row per scanpath, six measures")
    parser.add_argument(
        "--convention",
        choices=("words", "scandl"),
        help="with --per-scanpath: count words only, or CLS and SEP too, as published (default words)",
    )
    add_common(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Write the table and print the means of each source."""
    from scandl.files.prediction_columns import files_of
    from scandl_analysis.words.word_files import mean_lines, write_measures

    if args.per_scanpath and args.variant:
        raise ConfigError("--variant is of word measures: leave it out with --per-scanpath")
    if args.convention and not args.per_scanpath:
        raise ConfigError("--convention is of scanpath measures: give --per-scanpath with it")
    variant, convention = args.variant or "paper", args.convention or "words"
    written = write_measures(
        args.out,
        corpus=args.corpus,
        pred=files_of(args.pred, args.column),
        variant=variant,
        per_scanpath=args.per_scanpath,
        convention=convention,
    )
    if not args.quiet:
        for note in written.notes:
            print(note)
    for line in mean_lines(written.frame):
        print(line)
    rule = f"convention {convention}" if args.per_scanpath else f"variant {variant}"
    rows = "scanpaths" if args.per_scanpath else "words"
    print(f"mean over {rows} ± standard error over readers and sentences; {rule}")
    print(f"{len(written.frame):,} rows in {written.path}, how it was made in {written.path}.json")

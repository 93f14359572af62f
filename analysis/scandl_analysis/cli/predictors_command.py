"""``scandl-analysis predictors``: length, frequency and surprisal of every word."""

from __future__ import annotations

import argparse
from typing import Any

from scandl.cli.commandline import add_common


def add(subparsers: Any) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "predictors",
        help="word length, frequency and surprisal",
        description="Write the predictors of every word of a corpus, and which source they come from.",
    )
    parser.add_argument("--corpus", metavar="C", required=True, help="name or folder of a corpus")
    parser.add_argument("--out", metavar="F", required=True, help="the table, .csv or .parquet")
    add_predictors(parser)
    add_common(parser)
    parser.set_defaults(run=run)


def add_predictors(parser: argparse.ArgumentParser) -> None:
    """Add the choices that every command with predictors offers."""
    parser.add_argument(
        "--surprisal",
        default="auto",
        metavar="NAME",
        help="auto, gpt2, a folder or hub name of a causal language model, smollm2, trigram, unigram"
        " (default auto: the best that is here; the output says which)",
    )
    parser.add_argument(
        "--frequency",
        choices=("zipf", "proportion", "neglog2", "fpm"),
        default="zipf",
        help="scale of word frequency; proportion is the published analysis's (default zipf)",
    )
    parser.add_argument("--bow", action="store_true", help="correct surprisal for beginnings of words")
    parser.add_argument(
        "--alignment",
        choices=("offsets", "scandl-v1"),
        default="offsets",
        help="tokens to words by characters, or with the slip of ScanDL's first release (default offsets)",
    )
    parser.add_argument(
        "--unit", choices=("nats", "bits"), default="nats", help="of surprisal (default nats)"
    )
    parser.add_argument(
        "--no-punctuation", action="store_true", help="word length counts letters and digits only"
    )


def run(args: argparse.Namespace) -> None:
    """Write the table and print where the values come from."""
    from scandl_analysis.words.word_files import write_predictors

    written = write_predictors(
        args.out,
        args.corpus,
        provider=args.surprisal,
        frequency=args.frequency,
        punctuation=not args.no_punctuation,
        unit=args.unit,
        bow=args.bow,
        alignment=args.alignment,
    )
    if not args.quiet:
        for note in written.notes:
            print(note)
    print(f"{len(written.frame):,} words in {written.path}, how it was made in {written.path}.json")

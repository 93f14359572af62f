"""``scandl split``: make the folds of a corpus and say what is in them."""

from __future__ import annotations

import argparse

from scandl.cli.commandline import Parser, add_common
from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import ScandlError
from scandl.options import add_option
from scandl.splits import fold_table, make_cross, make_folds, write_folds


def add(parser: Parser) -> None:
    """Say what the command does, and add its options."""
    parser.description = (
        "Write one JSON file a fold with its (reader, sentence) pairs, and print their sizes."
    )
    add_option(parser, "corpus", required=True)
    add_option(parser, "setting", required=True)
    add_option(parser, "out", "folder for the fold files", required=True, metavar="DIR")
    add_option(parser, "scheme", default="shuffled")
    parser.add_argument("--folds", type=int, default=5, metavar="K", help="number of folds (default 5)")
    add_option(parser, "shared_only")
    add_option(parser, "test_corpus", "the other corpus of setting cross")
    add_common(parser, seed=True)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Make, write and tabulate the folds."""
    if (args.setting == "cross") != (args.test_corpus is not None):
        raise ScandlError("--test-corpus goes with --setting cross, and only with it")
    if args.setting == "cross" and (args.folds, args.shared_only) != (5, False):
        raise ScandlError("--folds and --shared-only do not go with --setting cross: it has one fold")
    if args.folds < 2:
        raise ScandlError(f"--folds {args.folds}: expected at least 2")
    corpus = open_corpus(args.corpus)
    if args.setting == "cross":
        folds = [make_cross(corpus, open_corpus(args.test_corpus), scheme=args.scheme, seed=args.seed)]
    else:
        folds = make_folds(
            corpus,
            args.setting,
            scheme=args.scheme,
            seed=args.seed,
            n_folds=args.folds,
            shared_only=args.shared_only,
        )
    write_folds(folds, args.out)
    rows = fold_table(folds)
    heads = [_two_lines(name) for name in rows[0]]
    lines = [*zip(*heads, strict=True), *(list(map(str, row.values())) for row in rows)]
    widths = [max(len(line[k]) for line in lines) for k in range(len(heads))]
    for line in lines:
        print("  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)))


def _two_lines(name: str) -> tuple[str, str]:
    """Return a heading as two lines, so that the table fits a terminal.

    >>> _two_lines("test sentences in training"), _two_lines("fold")
    (('test sentences', 'in training'), ('', 'fold'))
    """
    words = name.split()
    return " ".join(words[: len(words) // 2]), " ".join(words[len(words) // 2 :])

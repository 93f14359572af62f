"""``scandl-eval baseline import``: predictions from the outputs of other programs."""

from __future__ import annotations

import argparse
import sys

from scandl.cli.commandline import Parser, add_common
from scandl.corpora.corpus_folder import open_corpus
from scandl.files.prediction_files import write_predictions
from scandl.models.cognitive.baseline_import import import_baseline
from scandl.options import SETTINGS, add_option

KINDS = ("ezreader-trace", "swift-sequence", "baseline-pickle", "baseline-table")


def add(subparsers: argparse._SubParsersAction[Parser]) -> None:
    """Add the command's parser."""
    parser = subparsers.add_parser(
        "import",
        help="turn the output of the original E-Z Reader, SWIFT or ScanDL baseline programs into predictions",
    )
    parser.add_argument("kind", choices=KINDS, metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("file", metavar="FILE", help="the program's output")
    add_option(parser, "corpus", "folder or name of the corpus it was made for", required=True)
    add_option(parser, "out", "predictions: .csv or .parquet", required=True, metavar="FILE")
    add_option(parser, "model", "what to call the model (default: the name of the file)")
    add_option(
        parser,
        "setting",
        "ns, nr, nrns or cross, if it was one (default all)",
        default="all",
        choices=("all", *SETTINGS),
    )
    parser.add_argument("--fold", default="0", help="the fold it belongs to (default 0)")
    add_option(parser, "index_base", "what sentence numbers of an ezreader-trace count from")
    parser.add_argument(
        "--infinite-ms",
        type=float,
        metavar="MS",
        help="put MS for infinite durations (ScanDL 2.0: 2000); without it such paths have no durations",
    )
    add_common(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Write the predictions; say what is odd about them."""
    imported = import_baseline(
        args.kind,
        args.file,
        open_corpus(args.corpus),
        model=args.model,
        setting=args.setting,
        fold=args.fold,
        index_base=args.index_base,
        infinite_ms=args.infinite_ms,
    )
    write_predictions(args.out, imported.predictions)
    for note in imported.notes:
        print(f"warning: {note}", file=sys.stderr)
    if not args.quiet:
        print(f"{args.out}: {len(imported.predictions)} scanpaths of {imported.predictions[0].model}")

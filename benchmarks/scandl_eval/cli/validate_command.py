"""``scandl-eval validate``: everything that is wrong with a prediction file."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from scandl.cli.commandline import Parser, add_common
from scandl.cli.flags import add_columns
from scandl.files.prediction_columns import files_of
from scandl.options import add_option
from scandl_eval.cli.scoring_flags import opened

if TYPE_CHECKING:
    from scandl_eval.scoring.prediction_check import Validation


def add(parser: Parser) -> None:
    """Say what the command does, and add its options."""
    add_option(parser, "pred", required=True, action="store", nargs=None)
    add_columns(parser)
    add_option(parser, "corpus", "corpus folder or name the predictions are for")
    add_option(parser, "strict", "warnings are problems too")
    add_common(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print every problem and warning, then the remarks; return 1 when there is a problem."""
    from scandl_eval.scoring.prediction_check import validate

    (file,) = files_of([args.pred], args.column)
    found = validate(file, opened(args.corpus), index_base=args.index_base)
    for problem in found.problems:
        print(problem)
    for warning in found.warnings:
        print(f"{found.path}: warning: {warning}")
    if not args.quiet:
        for remark in found.remarks:
            print(f"{found.path}: {remark}")
    print(f"{found.path}: {_verdict(found)}")
    return 1 if found.problems or (args.strict and found.warnings) else 0


def _verdict(found: Validation) -> str:
    counts = [
        f"{n} {what}{'s' if n > 1 else ''}"
        for n, what in ((found.n_problems, "problem"), (len(found.warnings), "warning"))
        if n
    ]
    n = found.n_predictions
    if counts:
        return f"{', '.join(counts)}; {n} prediction{'s' if n != 1 else ''} can be read"
    return f"no problem in {n} prediction{'s' if n != 1 else ''}"

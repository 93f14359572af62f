"""``scandl-eval validate``: everything that is wrong with a prediction file."""

from __future__ import annotations

import argparse

from scandl.cli.commandline import add_common
from scandl.cli.flags import add_columns


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's parser."""
    parser = subparsers.add_parser("validate", help="say everything that is wrong with a prediction file")
    parser.add_argument(
        "--pred", required=True, metavar="F", help="CSV, Parquet, JSON or JSON lines with predictions"
    )
    add_columns(parser)
    parser.add_argument("--corpus", metavar="C", help="corpus folder or name the predictions are for")
    add_common(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print every problem, then the remarks; return 1 when there is one."""
    from scandl.files.prediction_columns import files_of
    from scandl_eval.cli.scoring_flags import opened
    from scandl_eval.scoring.prediction_check import validate

    (file,) = files_of([args.pred], args.column)
    found = validate(file, opened(args.corpus))
    for problem in found.problems:
        print(problem)
    if not args.quiet:
        for remark in found.remarks:
            print(f"{found.path}: {remark}")
    print(f"{found.path}: {_verdict(len(found.problems), found.n_predictions)}")
    return 1 if found.problems else 0


def _verdict(n_problems: int, n_predictions: int) -> str:
    if n_problems:
        return f"{n_problems} problem{'s' if n_problems > 1 else ''}; {n_predictions} predictions can be read"
    return f"no problem in {n_predictions} prediction{'s' if n_predictions > 1 else ''}"

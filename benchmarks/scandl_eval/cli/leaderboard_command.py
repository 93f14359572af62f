"""``scandl-eval leaderboard``: show the leaderboard of a run again."""

from __future__ import annotations

import argparse

from scandl.cli.commandline import add_common


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's parser."""
    parser = subparsers.add_parser("leaderboard", help="print the leaderboard of a run")
    parser.add_argument("folder", metavar="RUN", help="the folder of a finished run")
    parser.add_argument("--sort", metavar="METRIC", help="metric to rank by (default energy)")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print leaderboard.json")
    form.add_argument("--csv", action="store_true", help="print leaderboard.csv")
    form.add_argument("--markdown", action="store_true", help="print Markdown tables")
    form.add_argument("--latex", action="store_true", help="print a table for LaTeX (booktabs)")
    parser.add_argument("--figures", metavar="DIR", help="write each figure of the run, as SVG and PDF")
    add_common(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Print the leaderboard in the form asked for."""
    from pathlib import Path

    from scandl.files.tabular import latex_table
    from scandl_eval.leaderboard.leaderboard import CSV, JSON, console, markdown, read_leaderboard

    board = read_leaderboard(args.folder)
    if args.figures:
        from scandl_eval.reporting.run_report import build_run_report
        from scandl_reports.writing import write_asked

        write_asked(build_run_report(args.folder), None, args.figures)
    if args.json or args.csv:
        print((Path(args.folder) / (JSON if args.json else CSV)).read_text(encoding="utf-8"), end="")
    elif args.latex:
        print(latex_table(*board.shown(args.sort)))
    else:
        print((markdown if args.markdown else console)(board, sort=args.sort))

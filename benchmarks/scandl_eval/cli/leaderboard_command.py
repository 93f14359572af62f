"""``scandl-eval leaderboard``: show the leaderboard of a run again."""

from __future__ import annotations

import argparse
from pathlib import Path

from scandl.cli.commandline import Parser, add_common
from scandl.files.tabular import latex_table
from scandl.options import add_option
from scandl_reports.writing import write_asked


def add(parser: Parser) -> None:
    """Say what the command does, and add its options."""
    parser.add_argument("folder", metavar="RUN", help="the folder of a finished run")
    parser.add_argument("--sort", metavar="METRIC", help="metric to rank by (default energy)")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print leaderboard.json")
    form.add_argument("--csv", action="store_true", help="print leaderboard.csv")
    form.add_argument("--markdown", action="store_true", help="print Markdown tables")
    add_option(form, "latex", "print a table for LaTeX (booktabs)")
    add_option(parser, "figures", "write each figure of the run, as SVG and PDF")
    add_common(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Print the leaderboard in the form asked for."""
    from scandl_eval.leaderboard.leaderboard import CSV, JSON, console, markdown, read_leaderboard

    board = read_leaderboard(args.folder)
    if args.figures:
        from scandl_eval.reporting.run_report import build_run_report

        write_asked(build_run_report(args.folder), None, args.figures)
    if args.json or args.csv:
        print((Path(args.folder) / (JSON if args.json else CSV)).read_text(encoding="utf-8"), end="")
    elif args.latex:
        print(latex_table(*board.shown(args.sort)))
    else:
        print((markdown if args.markdown else console)(board, sort=args.sort))

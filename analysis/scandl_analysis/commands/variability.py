"""``scandl-analysis variability``: how scanpaths vary, humans beside models."""

from __future__ import annotations

import argparse

from scandl.commandline import add_common
from scandl_analysis.commands.source import add_source


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "variability",
        help="mean and spread of scanpath measures, human against model",
        description="Mean ± SD of six measures of whole scanpaths for humans and every model of a run, with"
        " bootstrap intervals, counted by words and as published. Without --run: the newest run below runs/,"
        " or the demo.",
    )
    add_source(parser)
    parser.add_argument("--out", metavar="DIR", help="write variability.csv, scanpaths.csv, a report here")
    parser.add_argument("--report", metavar="F", help="write a report, .html, .pdf or .txt")
    add_common(parser, seed=True)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Measure, write the files if asked to, and print mean ± SD."""
    from scandl_analysis.behaviour_files import write_variability
    from scandl_analysis.commands.source import open_source
    from scandl_analysis.report import VARIABILITY, build_behaviour_report
    from scandl_analysis.variability import variability
    from scandl_analysis.variability_report import mean_tables
    from scandl_reports.plain import table_text
    from scandl_reports.writing import check_form, write_report

    reports = [check_form(args.report)] if args.report else []
    found = variability(open_source(args), seed=args.seed)
    if args.out:
        # Files before text: who reads the text may stop reading (head) before it ends.
        reports.append(write_variability(found, args.out) / "variability.html")
    if reports:
        write_report(build_behaviour_report(VARIABILITY, found), *reports)
    print("\n".join(found.notes[:1] if args.quiet else found.notes))
    for table in mean_tables(found.table):
        print("\n".join(["", table.title, table_text(table), *([table.note] if table.note else [])]))
    if args.out:
        print(f"written to {args.out}")

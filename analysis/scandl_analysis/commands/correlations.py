"""``scandl-analysis correlations``: what goes with a high NLD."""

from __future__ import annotations

import argparse

from scandl.commandline import add_common
from scandl_analysis.commands.source import add_source


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "correlations",
        help="what goes with a high NLD: readers, sentences, scanpaths",
        description="Pearson correlations of NLD with scanpath measures, by reader and by scanpath, and"
        " between models by sentence, with stars and bootstrap intervals, counted by words and as published."
        " Without --run: the newest run below runs/, or the demo.",
    )
    add_source(parser)
    parser.add_argument("--out", metavar="DIR", help="write correlations.csv, pairs.csv, a report here")
    parser.add_argument("--report", metavar="F", help="write a report, .html, .pdf or .txt")
    add_common(parser, seed=True)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Correlate, write the files if asked to, and print r with stars."""
    from scandl_analysis.behaviour_files import write_correlations
    from scandl_analysis.commands.source import open_source
    from scandl_analysis.correlations import KINDS, correlations
    from scandl_analysis.correlations_report import kind_tables
    from scandl_analysis.report import CORRELATIONS, build_behaviour_report
    from scandl_reports.plain import table_text
    from scandl_reports.writing import check_form, write_report

    reports = [check_form(args.report)] if args.report else []
    found = correlations(open_source(args), seed=args.seed)
    if args.out:
        # Files before text: who reads the text may stop reading (head) before it ends.
        reports.append(write_correlations(found, args.out) / "correlations.html")
    if reports:
        write_report(build_behaviour_report(CORRELATIONS, found), *reports)
    print("\n".join(found.notes[:1] if args.quiet else found.notes))
    for table in (table for kind in KINDS for table in kind_tables(found.table, kind)):
        print("\n".join(["", table.title, table_text(table), *([table.note] if table.note else [])]))
    print("\n*** p ≤ .001, ** p ≤ .01, * p ≤ .05; intervals stand in correlations.csv (--out) and the report")
    if args.out:
        print(f"written to {args.out}")

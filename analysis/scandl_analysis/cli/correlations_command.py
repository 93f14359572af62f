"""``scandl-analysis correlations``: what goes with a high NLD."""

from __future__ import annotations

import argparse

from scandl_analysis.cli.behaviour_flags import add_flags, present, report_files


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "correlations",
        help="what goes with a high NLD: readers, sentences, scanpaths",
        description="Pearson correlations of NLD with scanpath measures, by reader and by scanpath, and"
        " between models by sentence, with stars and bootstrap intervals, counted by words and as published."
        " Without --run: the newest run below runs/, or the demo.",
    )
    add_flags(parser, writes="correlations.csv, pairs.csv")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Correlate, write the files if asked to, and print r with stars."""
    from scandl_analysis.behaviour.correlations import KINDS, correlations
    from scandl_analysis.chapters.behaviour_files import write_correlations
    from scandl_analysis.chapters.correlations_chapter import kind_tables
    from scandl_analysis.chapters.whole_report import CORRELATIONS
    from scandl_analysis.words.analysed_run import open_source

    reports = report_files(args, CORRELATIONS)
    found = correlations(open_source(args), seed=args.seed)
    if args.out:
        write_correlations(found, args.out)
    tables = [table for kind in KINDS for table in kind_tables(found.table, kind)]
    closing = "\nintervals stand in correlations.csv (--out) and the report"
    present(args, CORRELATIONS, found, tables, reports, closing=closing)

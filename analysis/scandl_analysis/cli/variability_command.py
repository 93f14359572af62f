"""``scandl-analysis variability``: how scanpaths vary, humans beside models."""

from __future__ import annotations

import argparse

from scandl_analysis.cli.behaviour_flags import add_flags, present, report_files


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "variability",
        help="mean and spread of scanpath measures, human against model",
        description="Mean ± SD of six measures of whole scanpaths for humans and every model of a run, with"
        " bootstrap intervals, counted by words and as published. Without --run: the newest run below runs/,"
        " or the demo.",
    )
    add_flags(parser, writes="variability.csv, scanpaths.csv")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Measure, write the files if asked to, and print mean ± SD."""
    from scandl_analysis.behaviour.variability import variability
    from scandl_analysis.chapters.behaviour_files import write_variability
    from scandl_analysis.chapters.variability_chapter import mean_tables
    from scandl_analysis.chapters.whole_report import VARIABILITY
    from scandl_analysis.words.analysed_run import open_source

    reports = report_files(args, VARIABILITY)
    found = variability(open_source(args), seed=args.seed)
    if args.out:
        write_variability(found, args.out)
    present(args, VARIABILITY, found, mean_tables(found.table), reports)

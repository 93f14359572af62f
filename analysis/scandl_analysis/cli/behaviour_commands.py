"""``scandl-analysis variability`` and ``correlations``: how scanpaths vary, and what goes with a high NLD."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import scandl_analysis
from scandl.cli.commandline import Parser, add_common, add_report
from scandl.cli.terminal import print_table
from scandl.files.tabular import latex_table
from scandl.options import add_option
from scandl_analysis.cli.source_flags import add_source, asked_reports
from scandl_reports.plain import table_text
from scandl_reports.writing import write_asked, write_report

if TYPE_CHECKING:
    from scandl_analysis.behaviour.variability import Behaviour
    from scandl_analysis.chapters.whole_report import Chapter


def add_variability(parser: Parser) -> None:
    """Say what the command does, and add its options."""
    parser.description = (
        "Mean ± SD of six measures of whole scanpaths for humans and every model of a run, with"
        " bootstrap intervals, counted by words and as published. Without --run: the newest run below runs/,"
        " or the demo."
    )
    _add_flags(parser, writes="variability.csv, scanpaths.csv")
    parser.set_defaults(run=run_variability)


def add_correlations(parser: Parser) -> None:
    """Say what the command does, and add its options."""
    parser.description = (
        "Pearson correlations of NLD with scanpath measures, by reader and by scanpath, and"
        " between models by sentence, with stars and bootstrap intervals, counted by words and as published."
        " Without --run: the newest run below runs/, or the demo."
    )
    _add_flags(parser, writes="correlations.csv, pairs.csv")
    parser.set_defaults(run=run_correlations)


def _add_flags(parser: argparse.ArgumentParser, *, writes: str) -> None:
    """Add the flags; ``writes`` names the tables of --out."""
    add_source(parser)
    add_option(parser, "out", f"write {writes}, a report here", metavar="DIR")
    add_report(parser)
    add_common(parser, seed=True)


def run_variability(args: argparse.Namespace) -> None:
    """Measure, write the files if asked to, and print mean ± SD."""
    from scandl_analysis.chapters.whole_report import VARIABILITY

    _run(args, VARIABILITY, scandl_analysis.variability)


def run_correlations(args: argparse.Namespace) -> None:
    """Correlate, write the files if asked to, and print r with stars."""
    from scandl_analysis.chapters.whole_report import CORRELATIONS

    _run(args, CORRELATIONS, scandl_analysis.correlations)


def _run(args: argparse.Namespace, chapter: Chapter, analyse: Callable[..., Behaviour]) -> None:
    """Analyse, write what was asked for, and print the tables; who reads the text may stop (head)."""
    from scandl_analysis.chapters.whole_report import build_behaviour_report
    from scandl_analysis.words.analysed_run import open_source

    reports = asked_reports(args)
    result = analyse(open_source(args), seed=args.seed)
    if args.out:
        result.write(args.out)
        reports.append(Path(args.out) / f"{chapter.command}.html")
    tables = chapter.tables(result.table)
    if reports or args.figures:
        report = build_behaviour_report(chapter, result)
        write_report(report, *reports)
        write_asked(report, None, args.figures)
    if args.latex:
        print("\n\n".join(latex_table([c.name for c in t.columns], t.shown) for t in tables))
        return
    print("\n".join(result.notes[:1] if args.quiet else result.notes))
    for table in tables:
        print()
        print_table([table.title, table_text(table), *([table.note] if table.note else [])])
    if chapter.command == "correlations":
        print("\nintervals stand in correlations.csv (--out) and the report")
    if args.out:
        print(f"written to {args.out}")

"""What the commands ``variability`` and ``correlations`` share: flags, files, report and printed tables."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from scandl.cli.commandline import add_common, add_report
from scandl_analysis.cli.source_flags import add_source

if TYPE_CHECKING:
    from scandl_analysis.behaviour.correlations import Correlations
    from scandl_analysis.behaviour.variability import Variability
    from scandl_analysis.chapters.whole_report import Chapter
    from scandl_reports.document import Table


def add_flags(parser: argparse.ArgumentParser, *, writes: str) -> None:
    """Add the flags; ``writes`` names the tables of --out."""
    add_source(parser)
    parser.add_argument("--out", metavar="DIR", help=f"write {writes}, a report here")
    add_report(parser)
    add_common(parser, seed=True)


def report_files(args: argparse.Namespace, chapter: Chapter) -> list[Path]:
    """Return the reports that were asked for; a form that cannot be written is refused before any work."""
    from scandl.files.results import check_folder
    from scandl_reports.writing import check_form

    check_folder(args.out)
    asked = [check_form(args.report)] if args.report else []
    return [*asked, Path(args.out) / f"{chapter.command}.html"] if args.out else asked


def present(
    args: argparse.Namespace,
    chapter: Chapter,
    found: Variability | Correlations,
    tables: Iterable[Table],
    reports: list[Path],
    *,
    closing: str = "",
) -> None:
    """Write the reports and print the tables. Files come first: who reads the text may stop (head)."""
    from scandl.cli.terminal import print_table
    from scandl.files.tabular import latex_table
    from scandl_analysis.chapters.whole_report import build_behaviour_report
    from scandl_reports.plain import table_text
    from scandl_reports.writing import write_asked, write_report

    if reports or args.figures:
        report = build_behaviour_report(chapter, found)
        write_report(report, *reports)
        write_asked(report, None, args.figures)
    if args.latex:
        print("\n\n".join(latex_table([c.name for c in t.columns], t.shown) for t in tables))
        return
    print("\n".join(found.notes[:1] if args.quiet else found.notes))
    for table in tables:
        print()
        print_table([table.title, table_text(table), *([table.note] if table.note else [])])
    if closing:
        print(closing)
    if args.out:
        print(f"written to {args.out}")

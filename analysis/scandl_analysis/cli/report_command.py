"""``scandl-analysis report``: everything of a run in one document."""

from __future__ import annotations

import argparse

from scandl.cli.commandline import add_common


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's parser."""
    parser = subparsers.add_parser(
        "report",
        help="one document with everything a run holds",
        description="Put the benchmark's report and the analyses of a run folder together, as HTML and "
        "PDF. What has not been computed yet is said, with the command that does it.",
    )
    parser.add_argument("folder", metavar="RUN", help="folder of a benchmark run")
    parser.add_argument(
        "--out",
        action="append",
        default=[],
        metavar="F",
        help=".html, .pdf, .txt or .tex (tables only); again for more (default: report.html and .pdf in RUN)",
    )
    parser.add_argument("--paper", choices=("a4", "letter"), default="a4", help="of the PDF (default a4)")
    parser.add_argument("--full", action="store_true", help="print every figure, table and check in the PDF")
    parser.add_argument(
        "--figures", metavar="DIR", help="write each figure here, as SVG and PDF of one width"
    )
    add_common(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Write the report and say where."""
    from scandl_analysis.chapters.whole_report import write_full_report
    from scandl_reports.writing import without_pdf

    written = write_full_report(
        args.folder, *args.out, paper=args.paper, full=args.full, figures=args.figures
    )
    for path in written:
        if not args.quiet:
            print(f"written: {path}")
    if not args.quiet and not args.out and (said := without_pdf()):
        print(said)

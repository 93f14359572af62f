"""The command ``scandl-analysis``: measures, predictors, regressions, model behaviour."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from scandl.cli.commandline import Parser, add_common, add_examples, execute, root_parser
from scandl_analysis.cli.behaviour_commands import add_correlations, add_variability
from scandl_analysis.cli.fit_command import add_fit
from scandl_analysis.cli.pilot_command import add_pilot
from scandl_analysis.cli.predictive_power_command import add_predictive_power
from scandl_analysis.cli.psycholing_command import add_psycholing
from scandl_analysis.cli.word_commands import add_measures, add_predictors, add_words

if TYPE_CHECKING:
    from scandl_analysis.cli.source_flags import Commands


EXAMPLES = {
    "measures": "scandl-analysis measures --corpus demo --out measures.csv",
    "predictors": "scandl-analysis predictors --corpus demo --out predictors.csv",
    "words": "scandl-analysis words --corpus demo --out words.csv --r",
    "fit": "scandl-analysis fit 'tfc ~ length + frequency + (1 | reader)' --corpus demo",
    "psycholing": "scandl-analysis psycholing --run runs/demo --setting nrns --out effects",
    "predictive-power": "scandl-analysis predictive-power --corpus demo --providers trigram,unigram",
    "variability": "scandl-analysis variability --run runs/demo --setting nrns",
    "correlations": "scandl-analysis correlations --run runs/demo --setting nrns",
    "pilot": "scandl-analysis pilot --stimuli stimuli.csv --out pilot",
    "report": "scandl-analysis report runs/demo",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return execute(parser(), argv)


def parser() -> Parser:
    """Return the parser of the whole command."""
    root = root_parser("scandl-analysis", "Reading measures, predictors of reading, and their effects.")
    commands = root.add_subparsers(required=True, metavar="COMMAND")
    for add in (
        add_measures,
        add_predictors,
        add_words,
        add_fit,
        add_psycholing,
        add_predictive_power,
        add_variability,
        add_correlations,
        add_pilot,
        add_report,
    ):
        add(commands)
    add_examples(commands, EXAMPLES)
    return root


def add_report(commands: Commands) -> None:
    """Add the command ``report``."""
    parser = commands.add_parser(
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
    parser.set_defaults(run=run_report)


def run_report(args: argparse.Namespace) -> None:
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

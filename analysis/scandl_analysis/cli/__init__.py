"""The command ``scandl-analysis``: measures, predictors, regressions, model behaviour."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from scandl.cli.commandline import Command, Parser, add_common, command_parser, execute
from scandl.options import add_option
from scandl_reports.writing import without_pdf

COMMANDS = {
    "measures": Command(
        "scandl_analysis.cli.word_commands:add_measures",
        "reading measures per word or per scanpath",
        "scandl-analysis measures --corpus demo --out measures.csv",
    ),
    "predictors": Command(
        "scandl_analysis.cli.word_commands:add_predictors",
        "word length, frequency and surprisal",
        "scandl-analysis predictors --corpus demo --out predictors.csv",
    ),
    "words": Command(
        "scandl_analysis.cli.word_commands:add_words",
        "one table for R: measures, conditions, readers, predictors of this and the previous word",
        "scandl-analysis words --corpus demo --out words.csv --r",
        "corpus out r regions family contrast surprisal words",
    ),
    "fit": Command(
        "scandl_analysis.cli.fit_command:add_fit",
        "a regression by formula: conditions, interactions, slopes",
        "scandl-analysis fit 'tfc ~ length + frequency + (1 | reader)' --corpus demo",
        "corpus words family contrast engine draws prior style out report latex seed",
    ),
    "psycholing": Command(
        "scandl_analysis.cli.psycholing_command:add_psycholing",
        "effects of word length, frequency and surprisal, human against model",
        "scandl-analysis psycholing --run runs/demo --setting nrns --out effects",
        "run setting corpus pred measures design margin by engine surprisal out report jobs",
    ),
    "predictive-power": Command(
        "scandl_analysis.cli.predictive_power_command:add_predictive_power",
        "held-out log-likelihood that surprisal, or another predictor, adds",
        "scandl-analysis predictive-power --corpus demo --providers trigram,unigram",
        "corpus providers predictor measures form spillover folds run setting out seed",
    ),
    "variability": Command(
        "scandl_analysis.cli.behaviour_commands:add_variability",
        "mean and spread of scanpath measures, human against model",
        "scandl-analysis variability --run runs/demo --setting nrns",
    ),
    "correlations": Command(
        "scandl_analysis.cli.behaviour_commands:add_correlations",
        "what goes with a high NLD: readers, sentences, scanpaths",
        "scandl-analysis correlations --run runs/demo --setting nrns",
    ),
    "ease": Command(
        "scandl_analysis.cli.ease_command:add_ease",
        "how hard texts are to read, and which system's texts are harder",
        "scandl-analysis ease --texts texts.csv --by system --out ease",
        "texts by out report model readers group context language seed",
    ),
    "pilot": Command(
        "scandl_analysis.cli.pilot_command:add_pilot",
        "expected effects and power of an experiment, from its stimuli",
        "scandl-analysis pilot --stimuli stimuli.csv --out pilot",
        "stimuli out contrast measures region readers items models humans effect experiments surprisal jobs",
    ),
    "report": Command(
        "scandl_analysis.cli:add_report",
        "one document with everything a run holds",
        "scandl-analysis report runs/demo",
    ),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return execute(parser(), argv)


def parser() -> Parser:
    """Return the parser of the whole command."""
    return command_parser(
        "scandl-analysis", "Reading measures, predictors of reading, and their effects.", COMMANDS
    )


def add_report(parser: Parser) -> None:
    """Say what the command does, and add its options."""
    parser.description = (
        "Put the benchmark's report and the analyses of a run folder together, as HTML and "
        "PDF. What has not been computed yet is said, with the command that does it."
    )
    parser.add_argument("folder", metavar="RUN", help="folder of a benchmark run")
    add_option(
        parser,
        "out",
        ".html, .pdf, .txt or .tex (tables only); again for more (default: report.html and .pdf in RUN)",
        action="append",
        default=[],
        metavar="F",
    )
    parser.add_argument("--paper", choices=("a4", "letter"), default="a4", help="of the PDF (default a4)")
    parser.add_argument("--full", action="store_true", help="print every figure, table and check in the PDF")
    add_option(parser, "figures", "write each figure here, as SVG and PDF of one width")
    add_common(parser)
    parser.set_defaults(run=run_report)


def run_report(args: argparse.Namespace) -> None:
    """Write the report and say where."""
    from scandl_analysis.chapters.whole_report import write_full_report

    written = write_full_report(
        args.folder, *args.out, paper=args.paper, full=args.full, figures=args.figures
    )
    for path in written:
        if not args.quiet:
            print(f"written: {path}")
    if not args.quiet and not args.out and (said := without_pdf()):
        print(said)

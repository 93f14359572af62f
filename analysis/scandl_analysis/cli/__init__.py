"""The command ``scandl-analysis``: measures, predictors, regressions, model behaviour."""

from __future__ import annotations

from collections.abc import Sequence

from scandl.cli.commandline import Parser, add_examples, execute, root_parser
from scandl_analysis.cli import correlations_command as correlations
from scandl_analysis.cli import fit_command as fit
from scandl_analysis.cli import measures_command as measures
from scandl_analysis.cli import pilot_command as pilot
from scandl_analysis.cli import predictive_power_command as predictive_power
from scandl_analysis.cli import predictors_command as predictors
from scandl_analysis.cli import psycholing_command as psycholing
from scandl_analysis.cli import report_command as report
from scandl_analysis.cli import variability_command as variability

EXAMPLES = {
    "measures": "scandl-analysis measures --corpus demo --out measures.csv",
    "predictors": "scandl-analysis predictors --corpus demo --out predictors.csv",
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
    for command in (
        measures,
        predictors,
        fit,
        psycholing,
        predictive_power,
        variability,
        correlations,
        pilot,
        report,
    ):
        command.add(commands)
    add_examples(commands, EXAMPLES)
    return root

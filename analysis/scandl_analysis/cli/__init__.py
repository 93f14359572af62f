"""The command ``scandl-analysis``: measures, predictors, regressions, model behaviour."""

from __future__ import annotations

from collections.abc import Sequence

from scandl.cli.commandline import Parser, execute, root_parser
from scandl_analysis.cli import correlations_command as correlations
from scandl_analysis.cli import fit_command as fit
from scandl_analysis.cli import measures_command as measures
from scandl_analysis.cli import pilot_command as pilot
from scandl_analysis.cli import predictors_command as predictors
from scandl_analysis.cli import psycholing_command as psycholing
from scandl_analysis.cli import report_command as report
from scandl_analysis.cli import variability_command as variability


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return execute(parser(), argv)


def parser() -> Parser:
    """Return the parser of the whole command."""
    root = root_parser("scandl-analysis", "Reading measures, predictors of reading, and their effects.")
    commands = root.add_subparsers(required=True, metavar="COMMAND")
    for command in (measures, predictors, fit, psycholing, variability, correlations, pilot, report):
        command.add(commands)
    return root

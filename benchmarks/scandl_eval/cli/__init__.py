"""The command ``scandl-eval``: scores, baselines, rankings."""

from __future__ import annotations

from collections.abc import Sequence

from scandl.cli.commandline import Parser, execute, root_parser
from scandl_eval.cli import baseline_command as baseline
from scandl_eval.cli import compare_command as compare
from scandl_eval.cli import leaderboard_command as leaderboard
from scandl_eval.cli import nld_command as nld
from scandl_eval.cli import run_command as run
from scandl_eval.cli import score_command as score
from scandl_eval.cli import steps_command as steps
from scandl_eval.cli import validate_command as validate


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return execute(parser(), argv)


def parser() -> Parser:
    """Return the parser of the whole command."""
    root = root_parser(
        "scandl-eval", "Score scanpath models beside trivial baselines and a correct human ceiling."
    )
    commands = root.add_subparsers(required=True, metavar="COMMAND")
    for command in (nld, score, compare, run, leaderboard, baseline, steps, validate):
        command.add(commands)
    return root

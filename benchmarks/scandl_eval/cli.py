"""The command ``scandl-eval``: scores, baselines, rankings."""

from __future__ import annotations

from collections.abc import Sequence

from scandl.commandline import Parser, execute, root_parser
from scandl_eval.commands import baseline, compare, leaderboard, nld, run, score, steps, validate


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

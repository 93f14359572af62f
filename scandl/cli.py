"""The command ``scandl``: corpora, folds, the model."""

from __future__ import annotations

from collections.abc import Sequence

from scandl.commandline import Parser, execute, root_parser
from scandl.commands import corpus, export, generate, inspect, split, train, tune


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return execute(parser(), argv)


def parser() -> Parser:
    """Return the parser of the whole command."""
    root = root_parser("scandl", "Corpora of eye movements in reading, folds, and the ScanDL model.")
    commands = root.add_subparsers(required=True, metavar="COMMAND")
    for command in (corpus, split, train, generate, inspect, tune, export):
        command.add(commands)
    return root

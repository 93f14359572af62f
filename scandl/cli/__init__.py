"""The command ``scandl``: corpora, folds, the model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scandl.cli.commandline import Parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    from scandl.cli.commandline import execute

    return execute(parser(), argv)


def parser() -> Parser:
    """Return the parser of the whole command."""
    # Here and not above: the other two commands take their flags from this room, and would import all of it.
    from scandl.cli import corpus_command as corpus
    from scandl.cli import export_command as export
    from scandl.cli import generate_command as generate
    from scandl.cli import inspect_command as inspect
    from scandl.cli import split_command as split
    from scandl.cli import train_command as train
    from scandl.cli import tune_command as tune
    from scandl.cli.commandline import root_parser

    root = root_parser("scandl", "Corpora of eye movements in reading, folds, and the ScanDL model.")
    commands = root.add_subparsers(required=True, metavar="COMMAND")
    for command in (corpus, split, train, generate, inspect, tune, export):
        command.add(commands)
    return root

"""The command ``scandl``: corpora, folds, the model."""

from __future__ import annotations

from collections.abc import Sequence

from scandl.cli import corpus_command as corpus
from scandl.cli import export_command as export
from scandl.cli import generate_command as generate
from scandl.cli import inspect_command as inspect
from scandl.cli import models_command as models
from scandl.cli import split_command as split
from scandl.cli import train_command as train
from scandl.cli import tune_command as tune
from scandl.cli.commandline import Parser, execute, root_parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return execute(parser(), argv)


def parser() -> Parser:
    """Return the parser of the whole command."""
    root = root_parser("scandl", "Corpora of eye movements in reading, folds, and the ScanDL model.")
    commands = root.add_subparsers(required=True, metavar="COMMAND")
    for command in (corpus, split, train, generate, models, inspect, tune, export):
        command.add(commands)
    return root

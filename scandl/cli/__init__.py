"""The command ``scandl``: corpora, folds, the model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scandl.cli.commandline import Parser

EXAMPLES = {
    "corpus": "scandl corpus check demo",
    "split": "scandl split --corpus demo --setting nrns --out folds",
    "train": "scandl train --corpus demo --setting ns --fold 0 --preset tiny --out runs/tiny",
    "generate": "scandl generate --text 'The lighthouse keeper counted every ship.'",
    "models": "scandl models list",
    "inspect": "scandl inspect --text 'The old man the boats.' --out inspect",
    "tune": "scandl tune --corpus demo --trials 20 --out runs/tuned",
    "export": "scandl export runs/tiny --out tiny.npz",
}


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
    from scandl.cli import models_command as models
    from scandl.cli import split_command as split
    from scandl.cli import train_command as train
    from scandl.cli import tune_command as tune
    from scandl.cli.commandline import add_examples, root_parser

    root = root_parser("scandl", "Corpora of eye movements in reading, folds, and the ScanDL model.")
    commands = root.add_subparsers(required=True, metavar="COMMAND")
    for command in (corpus, split, train, generate, models, inspect, tune, export):
        command.add(commands)
    add_examples(commands, EXAMPLES)
    return root

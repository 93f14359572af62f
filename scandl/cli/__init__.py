"""The command ``scandl``: corpora, folds, the model."""

from __future__ import annotations

from collections.abc import Sequence

from scandl.cli.commandline import Command, Parser, command_parser, execute

COMMANDS = {
    "corpus": Command(
        "scandl.cli.corpus_command",
        "list, show, fetch, import and check corpora of scanpaths",
        "scandl corpus check demo",
    ),
    "split": Command(
        "scandl.cli.split_command",
        "make folds: new sentences, new readers, both, or another corpus",
        "scandl split --corpus demo --setting nrns --out folds",
    ),
    "train": Command(
        "scandl.cli.train_command",
        "train ScanDL on a fold of a corpus",
        "scandl train --corpus demo --setting ns --fold 0 --preset small --out runs/small",
        "corpus setting fold out preset set config device restart quiet",
    ),
    "generate": Command(
        "scandl.cli.generate_command",
        "generate scanpaths with a model",
        "scandl generate --text 'The lighthouse keeper counted every ship.'",
        "text text_file model readers samples group like context language out plot animate seed",
    ),
    "models": Command(
        "scandl.cli.models_command",
        "trained models of the package: data, licence, limits",
        "scandl models list",
    ),
    "inspect": Command(
        "scandl.cli.inspect_command",
        "watch a model decode a text",
        "scandl inspect --text 'The old man the boats.' --out inspect.csv",
    ),
    "tune": Command(
        "scandl.cli.tune_command",
        "search for hyper-parameters",
        "scandl tune --corpus demo --trials 20 --out runs/tuned",
    ),
    "export": Command(
        "scandl.cli.export_command",
        "write a checkpoint as a file that needs no torch",
        "scandl export runs/small --out small.npz",
    ),
    "cite": Command(
        "scandl.cli.cite_command",
        "BibTeX of the corpora, models, metrics and software of a run",
        "scandl cite runs/demo",
    ),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return execute(parser(), argv)


def parser() -> Parser:
    """Return the parser of the whole command."""
    return command_parser(
        "scandl", "Corpora of eye movements in reading, folds, and the ScanDL model.", COMMANDS
    )

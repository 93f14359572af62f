"""``scandl-eval nld``: score prediction files by normalised Levenshtein distance."""

from __future__ import annotations

from scandl.cli.commandline import Parser, add_common
from scandl_eval.cli.scoring_flags import add_scoring, run_scoring


def add(parser: Parser) -> None:
    """Say what the command does, and add its options."""
    parser.description = (
        "Score predictions by normalised Levenshtein distance, with trivial baselines and the "
        "human ceiling on the same items whenever texts or a corpus are at hand."
    )
    add_scoring(parser)
    add_common(parser, seed=True)
    parser.set_defaults(run=run_scoring, metrics=(), screen=False)

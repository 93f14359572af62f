"""``scandl-eval nld``: score prediction files by normalised Levenshtein distance."""

from __future__ import annotations

import argparse

from scandl.cli.commandline import add_common
from scandl_eval.cli.scoring_flags import add_scoring, run_scoring


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's parser."""
    parser = subparsers.add_parser(
        "nld",
        help="normalised Levenshtein distance, beside trivial baselines and humans",
        description="Score predictions by normalised Levenshtein distance, with trivial baselines and the "
        "human ceiling on the same items whenever texts or a corpus are at hand.",
    )
    add_scoring(parser)
    add_common(parser, seed=True)
    parser.set_defaults(run=run_scoring, metrics=())

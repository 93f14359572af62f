"""``scandl-eval score``: every metric, or those named, beside trivial baselines and humans."""

from __future__ import annotations

import argparse

from scandl.cli.commandline import Parser, add_common
from scandl.measures.catalogue import score_by_default
from scandl.options import add_option
from scandl_eval.cli.scoring_flags import add_scoring, run_scoring


def add(parser: Parser) -> None:
    """Say what the command does, and add its options."""
    parser.description = (
        "Score predictions by every metric, and compare human and generated scanpaths as "
        "distributions: classifier-auc, distribution-panel, log-likelihood (where the file has log_prob)."
    )
    add_scoring(parser)
    add_option(
        parser, "metrics", "default all, of which the usual ones are printed, best model first", default=()
    )
    add_option(parser, "all")
    add_common(parser, seed=True)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Print the table; write what was asked for."""
    args.screen = not args.metrics
    args.metrics = args.metrics or score_by_default()
    run_scoring(args)

"""``scandl train``: train the model on a fold of a corpus."""

from __future__ import annotations

import argparse

from scandl.cli.commandline import Parser, add_common
from scandl.cli.flags import add_fold, chosen_fold
from scandl.extras import need
from scandl.models.diffusion.settings import chosen_config
from scandl.options import add_option, add_options


def add(parser: Parser) -> None:
    """Say what the command does, and add its options."""
    parser.description = (
        "Train into a folder with last.pt, which the same command resumes, and log.csv. With"
        " --set training.validation=energy a share of the scanpaths chooses best.pt."
        " More --set training.steps=N go on with a finished training."
        " Several GPUs or nodes: accelerate launch -m scandl train …"
    )
    add_fold(parser)
    add_option(parser, "out", "folder of the checkpoints", required=True, metavar="DIR")
    add_options(parser.add_mutually_exclusive_group(), "config", "preset")
    add_options(parser, "set", "device", "tensorboard", "restart")
    add_common(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Train and say where the checkpoint is."""
    need("torch", "model")
    from scandl.models.diffusion.fold_training import train_fold

    config = chosen_config(args.preset, args.config, args.set)
    chosen = chosen_fold(args)
    path = train_fold(
        config,
        chosen.corpus,
        chosen.fold,
        args.out,
        tested=chosen.tested,
        device=args.device,
        resume=not args.restart,
        quiet=args.quiet,
        tensorboard=args.tensorboard,
    )
    print(path)

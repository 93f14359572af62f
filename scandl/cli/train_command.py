"""``scandl train``: train the model on a fold of a corpus."""

from __future__ import annotations

import argparse
from pathlib import Path

from scandl.cli.commandline import add_common
from scandl.cli.fold_flags import add_fold, chosen_fold


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "train",
        help="train ScanDL on a fold of a corpus",
        description="Train into a folder with last.pt, which the same command resumes, and log.csv. With"
        " --set training.validation=energy a share of the scanpaths chooses best.pt."
        " More --set training.steps=N go on with a finished training."
        " Several GPUs or nodes: accelerate launch -m scandl train …",
    )
    add_fold(parser)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder of the checkpoints")
    settings = parser.add_mutually_exclusive_group()
    settings.add_argument(
        "--config", type=Path, metavar="FILE", help="settings as TOML; the paper's without it"
    )
    settings.add_argument("--preset", metavar="NAME", help="paper (default), or small for a CPU")
    parser.add_argument(
        "--set", action="append", default=[], metavar="a.b=c", help="change one setting; repeatable"
    )
    parser.add_argument("--device", metavar="D", help="cpu, cuda or cuda:1 (default: the GPU, if any)")
    parser.add_argument(
        "--tensorboard", action="store_true", help="log for TensorBoard too, in DIR/tensorboard"
    )
    parser.add_argument("--restart", action="store_true", help="start anew where there is a checkpoint")
    add_common(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Train and say where the checkpoint is."""
    from scandl.extras import need
    from scandl.models.diffusion.settings import chosen_config

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

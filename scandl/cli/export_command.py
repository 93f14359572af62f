"""``scandl export``: make one file of a checkpoint that generates without torch."""

from __future__ import annotations

import argparse
from pathlib import Path

from scandl.cli.commandline import Parser, add_common
from scandl.extras import need
from scandl.options import add_option


def add(parser: Parser) -> None:
    """Say what the command does, and add its options."""
    parser.description = (
        "Write the model and its text encoder as one file of arrays, which scandl generate"
        " --model takes too, without torch."
    )
    parser.add_argument("checkpoint", type=Path, metavar="CHECKPOINT", help="made by scandl train")
    add_option(parser, "out", "file to write (.npz)", required=True)
    parser.add_argument(
        "--weights",
        choices=["ema", "weights"],
        default="ema",
        help="the moving average (default) or the raw weights",
    )
    parser.add_argument("--about", default="", metavar="TEXT", help="what the model is and is good for")
    add_common(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Export and say where the file is."""
    need("torch", "model")
    from scandl.models.diffusion.torch_model import export

    path = export(args.checkpoint, args.out, weights=args.weights, about=args.about)
    print(path if args.quiet else f"{path}: {path.stat().st_size / 1e6:.1f} MB")

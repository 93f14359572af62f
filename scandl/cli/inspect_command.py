"""``scandl inspect``: watch a model decode."""

from __future__ import annotations

import argparse
from pathlib import Path

from scandl.cli.commandline import add_common, count


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "inspect",
        help="watch a model decode a text",
        description="Write, per step, the share of positions that already have their final id; draw the"
        " state at chosen steps by t-SNE.",
    )
    parser.add_argument(
        "--model",
        default="demo",
        metavar="NAME|FILE",
        help="a trained model that draws by diffusion (default demo)",
    )
    parser.add_argument("--text", required=True, metavar="TEXT", help="the sentence to read")
    parser.add_argument(
        "--samples", type=count, default=8, metavar="N", help="readings to average (default 8)"
    )
    parser.add_argument(
        "--steps", type=int, metavar="K", help="denoising steps (default: as many as trained)"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="table to write (.csv)")
    parser.add_argument(
        "--plot",
        type=Path,
        metavar="FILE",
        help="t-SNE figure to write (.png, .svg, .pdf), or an animation of one path (.gif)",
    )
    parser.add_argument("--places", type=Path, metavar="FILE", help="its points as a table (.csv)")
    parser.add_argument(
        "--frames",
        type=int,
        nargs="+",
        default=[],
        metavar="T",
        help="steps to draw (default: five between the first and the last)",
    )
    add_common(parser, seed=True)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Decode, write the table and the figure, and print when most positions are settled."""
    from scandl.models.diffusion.decoding_progress import check_names, inspect_decoding
    from scandl.models.trained_model import open_trained

    check_names(args.out, args.places, args.plot)
    model = open_trained(args.model)
    if model.card is not None and not args.quiet:
        print(model.about)
    rows = inspect_decoding(
        model.network,
        args.text,
        args.out,
        samples=args.samples,
        steps=args.steps,
        plot=args.plot,
        places=args.places,
        frames=args.frames,
        seed=args.seed,
    )
    for wanted in (0.5, 0.9, 0.99):
        step = next(step for step, share in rows if share >= wanted)
        print(f"{wanted:.0%} of the positions have their final id at step {step}")

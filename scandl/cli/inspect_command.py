"""``scandl inspect``: watch a model decode."""

from __future__ import annotations

import argparse
from pathlib import Path

from scandl.cli.commandline import Parser, add_common
from scandl.options import add_option


def add(parser: Parser) -> None:
    """Say what the command does, and add its options."""
    parser.description = (
        "Write, per step, the share of positions that already have their final id; draw the"
        " state at chosen steps by t-SNE."
    )
    add_option(parser, "model", "a trained diffusion model (default demo)", default="demo")
    add_option(parser, "text", "the sentence to read", required=True, action="store")
    add_option(parser, "samples", "readings to average (default 8)", default=8)
    add_option(parser, "steps", "denoising steps (default: as many as trained)")
    add_option(parser, "sampler", default="ddpm")
    add_option(parser, "out", "table to write (.csv)", required=True)
    add_option(parser, "plot", "t-SNE figure to write (.png, .svg, .pdf)")
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
        model.diffusion(),
        args.text,
        args.out,
        samples=args.samples,
        steps=args.steps,
        sampler=args.sampler,
        plot=args.plot,
        places=args.places,
        frames=args.frames,
        seed=args.seed,
    )
    for wanted in (0.5, 0.9, 0.99):
        step = next(step for step, share in rows if share >= wanted)
        print(f"{wanted:.0%} of the positions have their final id at step {step}")

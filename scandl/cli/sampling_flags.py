"""The flags of commands that draw from a trained model: what ``Sampling`` can be asked for."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scandl.inference.generation import Sampling


def add_sampling(parser: argparse.ArgumentParser) -> None:
    """Add the flags; the number of steps is each command's own."""
    parser.add_argument("--sampler", default="ddpm", metavar="NAME", help="ddpm (default) or ddim")
    parser.add_argument(
        "--late", type=float, default=2.0, metavar="X",
        help="above 1 crowds the steps where the noise is high and the path is decided (default 2)",
    )  # fmt: skip
    parser.add_argument(
        "--round-below", type=float, default=0.9, metavar="S",
        help="round predictions at steps below the share S of all (default 0.9; 1 is at each step)",
    )  # fmt: skip
    parser.add_argument(
        "--rounding", choices=["valid", "published"], default="valid",
        help="round to the best whole scanpath (default), or each position by itself",
    )  # fmt: skip


def sampling_of(args: argparse.Namespace, steps: int) -> Sampling:
    """Return what the flags ask for."""
    from scandl.diffusion.samplers import SAMPLERS, SamplerOptions
    from scandl.errors import ScandlError
    from scandl.inference.generation import Sampling

    if not 0 < args.late < math.inf:
        raise ScandlError(f"--late {args.late}: expected a number above 0")
    if not 0 <= args.round_below <= 1:
        raise ScandlError(f"--round-below {args.round_below}: expected a share from 0 to 1")
    SAMPLERS[args.sampler]  # an unknown name is refused before anything is opened
    options = SamplerOptions(round_below=args.round_below, valid=args.rounding == "valid")
    return Sampling(steps=steps, sampler=args.sampler, late=args.late, options=options)

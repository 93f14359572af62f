"""The flags of commands that draw from a trained model: what ``Sampling`` can be asked for."""

from __future__ import annotations

import argparse
import math
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scandl.models.diffusion.diffusion_model import Sampling


def add_sampling(parser: argparse._ActionsContainer) -> None:
    """Add the flags; the number of steps is each command's own."""
    parser.add_argument("--sampler", metavar="NAME", help="ddpm (default) or ddim")
    parser.add_argument(
        "--late",
        type=float,
        metavar="X",
        help="above 1 crowds the steps where the noise is high and the path is decided (default 2)",
    )
    parser.add_argument(
        "--round-below",
        type=float,
        metavar="S",
        help="round predictions at steps below the share S of all (default 0.9; 1 is at each step)",
    )
    parser.add_argument(
        "--rounding",
        choices=["valid", "published"],
        help="round to the best whole scanpath (default), or each position by itself",
    )


def sampling_asked_for(
    args: argparse.Namespace, steps: int | None, *, keep_symbols: bool = False
) -> Sampling | None:
    """Return what the flags ask for; None where no flag was given."""
    flags = (args.sampler, args.late, args.round_below, args.rounding, steps)
    if not keep_symbols and all(flag is None for flag in flags):
        return None
    return replace(sampling_of(args, 10 if steps is None else steps), keep_symbols=keep_symbols)


def sampling_of(args: argparse.Namespace, steps: int) -> Sampling:
    """Return what the flags ask for; what was not given is as ``Sampling`` has it."""
    from scandl.errors import ScandlError
    from scandl.models.diffusion.diffusion_model import Sampling
    from scandl.models.diffusion.samplers import SAMPLERS, SamplerOptions

    usual = Sampling()
    late = usual.late if args.late is None else args.late
    round_below = usual.options.round_below if args.round_below is None else args.round_below
    if not 0 < late < math.inf:
        raise ScandlError(f"--late {late}: expected a number above 0")
    if not 0 <= round_below <= 1:
        raise ScandlError(f"--round-below {round_below}: expected a share from 0 to 1")
    sampler = args.sampler or usual.sampler
    SAMPLERS[sampler]  # an unknown name is refused before anything is opened
    options = SamplerOptions(round_below=round_below, valid=args.rounding != "published")
    return Sampling(steps=steps, sampler=sampler, late=late, options=options)

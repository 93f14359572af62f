"""``scandl-eval steps``: how few denoising steps will do."""

from __future__ import annotations

import argparse

from scandl.cli.commandline import Parser, add_common
from scandl.cli.flags import add_fold, chosen_fold
from scandl.errors import ScandlError
from scandl.options import add_option


def add(parser: Parser) -> None:
    """Say what the command does, and add its options."""
    parser.description = (
        "Generate for the test items of a fold with each number of steps; print NLD, energy"
        " distance, diversity and repairs, and the fewest steps whose energy distance lies inside the 95 %"
        " interval of the most."
    )
    add_option(parser, "model", "a diffusion model of scandl train or scandl export", required=True)
    add_fold(parser)
    parser.add_argument(
        "--steps",
        type=_numbers,
        default=(10, 20, 50, 100, 200, 500, 2000),
        metavar="K,K",
        help="numbers of steps (default 10,20,50,100,200,500,2000)",
    )
    add_option(parser, "samples", "paths per test item (default 1)")
    add_option(parser, "device")
    add_option(parser, "out", "table to write (.csv)", metavar="FILE")
    add_common(parser, seed=True)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Print the table and what follows from it."""
    from scandl.models.trained_model import ModelOptions, open_trained
    from scandl_eval.scoring.few_steps import curve_lines, enough_steps, steps_curve, write_steps

    if args.samples < 1:
        raise ScandlError(f"--samples {args.samples}: expected at least 1")
    chosen = chosen_fold(args)
    model = open_trained(args.model, ModelOptions(device=args.device))
    curve = steps_curve(
        model,
        chosen.tested,
        chosen.fold,
        args.steps,
        samples=args.samples,
        seed=args.seed,
        quiet=args.quiet,
    )
    if args.out is not None:
        write_steps(args.out, curve)
    print("\n".join(curve_lines(curve)))
    if len(curve) > 1:
        most = max(row.steps for row in curve)
        enough = enough_steps(curve).steps
        print(f"fewest steps whose energy distance lies inside the interval of {most}: {enough}")


def _numbers(text: str) -> tuple[int, ...]:
    """Return whole numbers separated by commas."""
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"found {text!r}, expected numbers such as 10,50,2000") from None

"""``scandl tune``: search for hyper-parameters as the paper did."""

from __future__ import annotations

import argparse
from pathlib import Path

from scandl.cli.commandline import add_common


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "tune", help="search for hyper-parameters",
        description="Draw random cells of the paper's space and score each by NLD in triple cross-validation"
        " (new readers, new sentences). The same command resumes a study; started several times at once, on"
        " one machine or on several with the same storage, the processes share it.",
    )  # fmt: skip
    parser.add_argument("--corpus", required=True, metavar="C", help="name or folder of the corpus")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="folder of checkpoints and study.db"
    )
    parser.add_argument(
        "--trials", type=int, default=60, metavar="N", help="cells to try in all (default 60)"
    )
    parser.add_argument(
        "--storage", metavar="URL", help="database of the study (default: DIR/study.db, SQLite)"
    )
    parser.add_argument(
        "--set", action="append", default=[], metavar="a.b=c", help="change one setting; repeatable"
    )
    parser.add_argument(
        "--preset", default="paper", metavar="NAME", help="paper (default), or small for a CPU"
    )
    parser.add_argument("--steps", type=int, default=50, metavar="K", help="denoising steps (default 50)")
    parser.add_argument("--device", metavar="D", help="cpu or cuda (default: the GPU where there is one)")
    add_common(parser, seed=True)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Tune and print the best cell."""
    from scandl.corpora.catalogue import open_corpus
    from scandl.diffusion.settings import preset
    from scandl.extras import need

    need("torch", "model")
    from scandl.training.tuning import tune

    best = tune(
        preset(args.preset, args.set), open_corpus(args.corpus), args.out, trials=args.trials, seed=args.seed,
        steps=args.steps, storage=args.storage, device=args.device, quiet=args.quiet,
    )  # fmt: skip
    for name, value in best.items():
        print(f"{name} = {value}")

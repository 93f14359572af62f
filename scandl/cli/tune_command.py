"""``scandl tune``: search for hyper-parameters as the paper did."""

from __future__ import annotations

import argparse
from pathlib import Path

from scandl.cli.commandline import add_common


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "tune",
        help="search for hyper-parameters",
        description="Draw random cells of the paper's space and score each by NLD in triple cross-validation"
        " (new readers, new sentences). The same command resumes a study; started several times at once, on"
        " one machine or on several with the same storage, the processes share it.",
    )
    parser.add_argument("--corpus", required=True, metavar="C", help="name or folder of the corpus")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="folder of checkpoints and study.db"
    )
    parser.add_argument("--trials", type=int, metavar="N", help="cells to try in all (default 60)")
    parser.add_argument(
        "--storage", metavar="URL", help="database of the study (default: DIR/study.db, SQLite)"
    )
    parser.add_argument(
        "--set", action="append", default=[], metavar="a.b=c", help="change one setting; repeatable"
    )
    parser.add_argument("--preset", metavar="NAME", help="paper (default), or small for a CPU")
    parser.add_argument(
        "--scheme",
        choices=["shuffled", "paper"],
        help="how folds are made: shuffled by the seed (default), or unshuffled as published",
    )
    parser.add_argument(
        "--config",
        metavar="FILE",
        help="a TOML file with trials, scheme, seed, steps, preset, changes; paper-tuning.toml ships",
    )
    parser.add_argument("--steps", type=int, metavar="K", help="denoising steps (default 50)")
    parser.add_argument("--device", metavar="D", help="cpu or cuda (default: the GPU where there is one)")
    add_common(parser, seed=True)
    parser.set_defaults(run=run, seed=None)


def run(args: argparse.Namespace) -> None:
    """Tune and print the best cell."""
    from dataclasses import replace

    from scandl.corpora.corpus_folder import open_corpus
    from scandl.extras import need
    from scandl.models.diffusion.tune_config import read_tune_config

    need("torch", "model")
    from scandl.models.diffusion.tuning import tune

    config = read_tune_config(args.config)
    flags = {name: getattr(args, name) for name in ("trials", "scheme", "seed", "steps", "preset")}
    given = {name: value for name, value in flags.items() if value is not None}
    config = replace(config, **given, changes=(*config.changes, *args.set))
    best = tune(
        config.scandl(),
        open_corpus(args.corpus),
        args.out,
        trials=config.trials,
        seed=config.seed,
        steps=config.steps,
        storage=args.storage,
        device=args.device,
        scheme=config.scheme,
        quiet=args.quiet,
    )
    for name, value in best.items():
        print(f"{name} = {value}")

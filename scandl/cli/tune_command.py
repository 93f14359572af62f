"""``scandl tune``: search for hyper-parameters as the paper did."""

from __future__ import annotations

import argparse
from dataclasses import replace

from scandl.cli.commandline import Parser, add_common
from scandl.corpora.corpus_folder import open_corpus
from scandl.extras import need
from scandl.options import add_option, add_options


def add(parser: Parser) -> None:
    """Say what the command does, and add its options."""
    parser.description = (
        "Draw random cells of the paper's space and score each by NLD in triple cross-validation"
        " (new readers, new sentences). The same command resumes a study; started several times at once, on"
        " one machine or on several with the same storage, the processes share it."
    )
    add_option(parser, "corpus", required=True)
    add_option(parser, "out", "folder of checkpoints and study.db", required=True, metavar="DIR")
    add_options(parser, "trials", "storage", "set", "preset", "scheme")
    shipped = "a TOML file with trials, scheme, seed, steps, preset, changes; paper-tuning.toml ships"
    add_option(parser, "config", shipped)
    add_option(parser, "steps", "denoising steps (default 50)")
    add_options(parser, "device")
    add_common(parser, seed=True)
    parser.set_defaults(run=run, seed=None)


def run(args: argparse.Namespace) -> None:
    """Tune and print the best cell."""
    from scandl.models.diffusion.tuning import read_tune_config

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

"""Flags that several commands have: where scanpaths come from, and how regressions are sampled."""

from __future__ import annotations

import argparse

from scandl.cli.flags import add_columns
from scandl.options import add_option, add_options


def add_source(parser: argparse.ArgumentParser, *, readers_alone: bool = False) -> None:
    """Add the flags that name the source; ``readers_alone``: a corpus without predictions will do."""
    add_option(parser, "setting", "default nrns")
    add_option(parser, "run", dest="folder")
    add_option(parser, "pred", "instead of a run: prediction files, with --corpus")
    alone = "; without --pred its readers alone" if readers_alone else ""
    add_option(parser, "corpus", f"with --pred: name or folder of the corpus{alone}")
    parser.set_defaults(readers_alone=readers_alone)
    add_option(parser, "strict")
    add_columns(parser)


def add_sampling(parser: argparse.ArgumentParser, *, engine: str, about: str) -> None:
    """Add how regressions are fitted; ``engine`` is the default and ``about`` says which there are."""
    parser.add_argument("--engine", default=engine, metavar="NAME", help=about)
    parser.add_argument("--priors", choices=("brms", "bambi", "weak"), default="brms", help="default brms")
    add_options(parser, "draws", "chains")

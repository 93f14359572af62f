"""What several commands have: where scanpaths come from, how regressions are sampled, what is written."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from scandl.cli.flags import add_columns
from scandl.files.results import check_folder
from scandl.options import add_option, add_options
from scandl_reports.writing import check_form, to_latex, write_asked, write_report

if TYPE_CHECKING:
    from scandl_reports.document import Report


COUNTS = ("poisson", "negativebinomial", "conwaymaxwell")
FAMILIES = ("bernoulli", *COUNTS, "gaussian", "lognormal")


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
    add_priors(parser)
    add_options(parser, "draws", "chains")


def add_priors(parser: argparse.ArgumentParser, when: str = "") -> None:
    """Add the priors of a regression."""
    choices = ("brms", "bambi", "weak")
    parser.add_argument("--priors", choices=choices, default="brms", help=f"{when}default brms")


def asked_reports(args: argparse.Namespace) -> list[Path]:
    """Return the reports that --report asks for; what cannot be written is refused before any work."""
    check_folder(args.out)
    return [check_form(args.report)] if args.report else []


def write_reports(args: argparse.Namespace, report: Report, paths: Iterable[Path]) -> None:
    """Write a report to each path, its figures where --figures says, and print its tables for --latex."""
    write_report(report, *paths)
    write_asked(report, None, args.figures)
    if args.latex:
        print(to_latex(report), end="")

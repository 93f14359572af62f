"""What several commands have: where scanpaths come from, how regressions are sampled, what is written."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from scandl.cli.commandline import positive, whole
from scandl.cli.flags import add_columns

if TYPE_CHECKING:
    from scandl.cli.commandline import Parser
    from scandl_reports.document import Report

    Commands = argparse._SubParsersAction[Parser]
    """The commands that a command adds itself to."""


def add_source(parser: argparse.ArgumentParser, *, readers_alone: bool = False) -> None:
    """Add the flags that name the source; ``readers_alone``: a corpus without predictions will do."""
    parser.add_argument("--setting", choices=("ns", "nr", "nrns", "cross"), help="default nrns")
    parser.add_argument("--run", dest="folder", metavar="DIR", help="folder of a benchmark run")
    parser.add_argument(
        "--pred",
        nargs="+",
        action="extend",
        default=[],
        metavar="F",
        help="instead of a run: prediction files, with --corpus",
    )
    alone = "; without --pred its readers alone" if readers_alone else ""
    parser.add_argument("--corpus", metavar="C", help=f"with --pred: name or folder of the corpus{alone}")
    parser.set_defaults(readers_alone=readers_alone)
    parser.add_argument(
        "--strict",
        action="store_true",
        help="fail when a prediction has no human scanpath, or another one than the corpus",
    )
    add_columns(parser)


def add_sampling(parser: argparse.ArgumentParser, *, engine: str, about: str) -> None:
    """Add how regressions are fitted; ``engine`` is the default and ``about`` says which there are."""
    parser.add_argument("--engine", default=engine, metavar="NAME", help=about)
    parser.add_argument("--priors", choices=("brms", "bambi", "weak"), default="brms", help="default brms")
    parser.add_argument("--draws", type=_draws, default=1000, metavar="N", help="per chain (default 1000)")
    parser.add_argument("--chains", type=positive, default=4, metavar="N", help="default 4")


def _draws(text: str) -> int:
    return whole(text, 4)  # fewer cannot be diagnosed at all


def asked_reports(args: argparse.Namespace) -> list[Path]:
    """Return the reports that --report asks for; what cannot be written is refused before any work."""
    from scandl.files.results import check_folder
    from scandl_reports.writing import check_form

    check_folder(args.out)
    return [check_form(args.report)] if args.report else []


def write_reports(args: argparse.Namespace, report: Report, paths: Iterable[Path]) -> None:
    """Write a report to each path, its figures where --figures says, and print its tables for --latex."""
    from scandl_reports.latex import to_latex
    from scandl_reports.writing import write_asked, write_report

    write_report(report, *paths)
    write_asked(report, None, args.figures)
    if args.latex:
        print(to_latex(report), end="")

"""``scandl cite``: the references of a run, as BibTeX."""

from __future__ import annotations

import argparse
from pathlib import Path

from scandl.cli.commandline import Parser, add_common
from scandl.files.results import write_text
from scandl.options import add_option


def add(parser: Parser) -> None:
    """Say what the command does, and add its options."""
    parser.description = (
        "Print the BibTeX of everything a benchmark run used: its corpora, those its shipped models learned"
        " from, its models, its metrics, and the software."
    )
    parser.add_argument("folder", type=Path, metavar="RUN", help="folder of a benchmark run")
    add_option(parser, "out", "write it there instead (.bib)")
    add_common(parser)
    parser.set_defaults(run=_cite)


def _cite(args: argparse.Namespace) -> None:
    from scandl.citations import cite

    text = cite(args.folder)
    if args.out:
        write_text(args.out, text)
        print(f"wrote {args.out}")
    else:
        print(text, end="")

"""``scandl-eval verify``: prove that the files of a run are what it wrote."""

from __future__ import annotations

import argparse

from scandl.cli.commandline import Parser, add_common
from scandl.files.manifest import read_manifest


def add(parser: Parser) -> None:
    """Say what the command does, and add its options."""
    parser.description = "Compare every table of a run folder with the checksums of its manifest.json."
    parser.add_argument("folder", metavar="RUN", help="the folder of a finished run")
    add_common(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print what is missing, changed or not of the run; return 1 where there is any."""
    manifest = read_manifest(args.folder)
    faults = manifest.faults()
    for fault in faults:
        print(fault)
    if faults:
        print(f"{args.folder}: {len(faults)} files are not what the run wrote")
        return 1
    print(f"{args.folder}: all {len(manifest.files)} files are what the run wrote")
    if not args.quiet:
        made_by = manifest.made_by.get("made_by", {})
        told = [f"{name} {made_by[name]}" for name in ("command", "version", "seed") if made_by.get(name)]
        print(f"made by {', '.join(told)}")
    return 0

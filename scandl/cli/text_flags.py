"""The flags for texts of the user's own, and the sentences they name."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scandl.records import Sentence


def add_texts(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.add_argument(
        "--text", action="append", metavar="TEXT", help="a sentence to read; may be given again"
    )
    parser.add_argument(
        "--text-file", type=Path, metavar="FILE",
        help="a file with one sentence a line; line 3 becomes sentence t3, blank lines are left out",
    )  # fmt: skip


def texts_given(args: argparse.Namespace) -> bool:
    """Say whether the user gave texts."""
    return args.text is not None or args.text_file is not None


def sentences_of(args: argparse.Namespace) -> list[Sentence]:
    """Return the sentences: ``t1`` is the first text, or the first line of the file."""
    from scandl.errors import DataError, ScandlError
    from scandl.files.cell_values import TEXT, is_text
    from scandl.records import Sentence

    lines = args.text if args.text is not None else _read(args.text_file).splitlines()
    texts = {n: " ".join(line.split()) for n, line in enumerate(lines, start=1) if line.strip()}
    if not texts:
        raise ScandlError("the text is empty: there is nothing to read")
    for n, text in texts.items():
        if not is_text(text):
            if args.text is not None:
                raise ScandlError(f"--text: found {text!r}, expected {TEXT}")
            raise DataError(args.text_file, n, None, text, TEXT)
    return [Sentence(f"t{n}", text) for n, text in texts.items()]


def _read(path: Path) -> str:
    from scandl.errors import DataError, Fact
    from scandl.files.tables import no_file

    if not path.is_file():
        raise DataError(path, None, None, no_file(path), "a file with one sentence a line")
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        found = Fact(f"byte {error.start} that is not UTF-8")
        raise DataError(path, None, None, found, "UTF-8 text") from None

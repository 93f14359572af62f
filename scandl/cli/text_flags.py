"""The flags for texts of the user's own, and the sentences they name."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scandl.models.text_stream import Shard
    from scandl.records import Sentence


def add_texts(parser: argparse._ActionsContainer) -> None:
    """Add the flags."""
    parser.add_argument(
        "--text", action="append", metavar="TEXT", help="a sentence or paragraph to read; may be given again"
    )
    parser.add_argument(
        "--text-file",
        metavar="FILE",
        help="one text a line (line 3 becomes t3, blank lines are left out), or .csv, .jsonl or .parquet with"
        " a column text and perhaps sentence_id; - is standard input",
    )


def texts_given(args: argparse.Namespace) -> bool:
    """Say whether the user gave texts."""
    return args.text is not None or args.text_file is not None


def texts_asked_for(args: argparse.Namespace, shard: Shard | None = None) -> Iterator[Sentence]:
    """Yield the texts as they are read: ``t1`` is the first text, or the first line of the file.

    That there is one is known when this returns.
    """
    from scandl.errors import ScandlError
    from scandl.models.text_stream import texts_of

    found = _given(args.text) if args.text is not None else texts_of(args.text_file, shard)
    first = next(found, None)
    if first is None:
        raise ScandlError("the text is empty: there is nothing to read")
    return chain([first], found)


def sentences_of(args: argparse.Namespace) -> list[Sentence]:
    """Return all of them."""
    return list(texts_asked_for(args))


def _given(texts: list[str]) -> Iterator[Sentence]:
    from scandl.errors import ScandlError
    from scandl.files.cell_values import TEXT, is_text
    from scandl.models.text_stream import checked_length
    from scandl.records import Sentence

    for n, line in enumerate(texts, start=1):
        text = " ".join(line.split())
        if not is_text(text):
            raise ScandlError(f"--text: found {text[:200]!r}, expected {TEXT}")
        if text:
            yield checked_length(Sentence(f"t{n}", text), "--text")

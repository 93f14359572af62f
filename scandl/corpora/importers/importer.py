"""What an importer is, the registry it is found in, and the flags that several importers share."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from scandl.corpora.corpus import Card, Corpus
from scandl.corpora.importers.assemble import Filters
from scandl.corpora.importers.column_meanings import OF_TEXTS
from scandl.extras import Registry
from scandl.files.column_names import ALIASES
from scandl.files.prediction_columns import parse_meanings

FIXATIONS = ("fixations", "fixation report, one row per fixation")
AREAS = ("areas", "interest-area report, one row per word")


@dataclass(frozen=True, slots=True)
class Importer:
    """A layout that ``scandl corpus import`` reads.

    ``run`` gets the parsed arguments that ``add_arguments`` asked for. Both are cheap to import;
    what is heavy is imported when ``run`` works.
    """

    title: str
    obtain: str  # where the files come from
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], Corpus]


IMPORTERS: Registry[Importer] = Registry("importer")


def add_files(parser: argparse.ArgumentParser, *files: tuple[str, str]) -> None:
    """Add positional files as (name, help)."""
    for name, text in files:
        parser.add_argument(name, type=Path, metavar=name.upper(), help=text)


def add_columns(parser: argparse.ArgumentParser, *, index_base: bool = True) -> None:
    """Add what a user says about a table whose layout is not known."""
    parser.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="MEANING=NAME",
        help="the column that has a meaning (reader_id, sentence_id, fixation_index, word_index, "
        "duration_ms, word, item_id, text; sentences.sentence_id, sentences.word and sentences.word_index "
        "where the sentences call it otherwise); "
        "Item+Condition joins two; may be repeated",
    )
    if index_base:
        parser.add_argument(
            "--index-base", type=int, choices=(0, 1), help="what the first word of a sentence is called"
        )
    parser.add_argument(
        "--encoding",
        type=_encoding,
        metavar="NAME",
        help="of the files (default: found file by file, UTF-8, UTF-16 or cp1252)",
    )


def _encoding(name: str) -> str:
    try:
        "".encode(name)
    except (LookupError, ValueError):
        raise argparse.ArgumentTypeError(f"{name!r} is no text encoding (such as latin-1)") from None
    return name


def add_filters(parser: argparse.ArgumentParser) -> None:
    """Add the filters; by default everything on a word is kept."""
    parser.add_argument(
        "--min-duration",
        type=float,
        default=0.0,
        metavar="MS",
        help="delete shorter fixations",
    )
    parser.add_argument("--max-fixations", type=int, metavar="N", help="leave out longer scanpaths")


def filters_of(args: argparse.Namespace) -> Filters:
    """Return the filters that were asked for."""
    return Filters(min_duration=args.min_duration, max_fixations=args.max_fixations)


def told_of_tables(args: argparse.Namespace) -> dict[str, Any]:
    """Return what was said of tables whose layout is not known, as arguments of an importer."""
    return {
        "columns": columns_of(args.column),
        "index_base": args.index_base,
        "encoding": args.encoding,
        "filters": filters_of(args),
    }


def columns_of(pairs: Sequence[str]) -> dict[str, str]:
    """Return ``MEANING=NAME`` pairs as a mapping.

    >>> columns_of(["reader_id=VP"])
    {'reader_id': 'VP'}
    """
    return parse_meanings(pairs, (*ALIASES, *OF_TEXTS))


def card_of(args: argparse.Namespace, default: Card) -> Card:
    """Return the card with what the user said about name, language, kind, licence, citation."""
    said = {key: getattr(args, key, None) for key in ("name", "language", "kind", "licence", "citation")}
    return replace(default, **{key: value for key, value in said.items() if value})

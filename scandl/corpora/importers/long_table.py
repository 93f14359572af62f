"""A table of fixations and a table of sentences, as people make them in R or Python."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from scandl.corpora.corpus import Card, Corpus
from scandl.corpora.importers import import_flags as arguments
from scandl.corpora.importers.assemble import assemble
from scandl.corpora.importers.filters import Filters
from scandl.corpora.importers.fixation_report import read_report
from scandl.corpora.importers.fixations import NEEDED, OPTIONAL, gather
from scandl.corpora.importers.importer import IMPORTERS, Importer
from scandl.corpora.importers.sentences import read_sentences

CARD = Card(name="csv", source="a table of fixations and a table of sentences")


def import_csv(
    fixations: Path | str,
    sentences: Path | str,
    *,
    columns: Mapping[str, str] | None = None,
    index_base: int | None = None,
    encoding: str = "utf-8",
    filters: Filters | None = None,
    card: Card = CARD,
) -> Corpus:
    """Import a long table of fixations and a table of sentences, CSV, TSV or Parquet.

    A column called ``word_index`` is ours and counts from 0. Under any other name the base is
    found by comparing labels, or asked for.
    """
    report = read_report(fixations, NEEDED, OPTIONAL, chosen=columns or {}, encoding=encoding)
    if index_base is None and report["word_index"].name == "word_index":
        index_base = 0
    texts = read_sentences(sentences, columns, encoding)
    return assemble(card, texts, gather(report, texts, index_base=index_base), filters)


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add_files(parser, arguments.FIXATIONS, ("sentences", "table of sentence_id and text"))
    arguments.add_columns(parser)
    arguments.add_filters(parser)


def _run(args: argparse.Namespace) -> Corpus:
    return import_csv(
        args.fixations,
        args.sentences,
        columns=arguments.columns_of(args.column),
        index_base=args.index_base,
        encoding=args.encoding,
        filters=arguments.filters_of(args),
        card=arguments.card_of(args, CARD),
    )


IMPORTERS.register("csv")(
    Importer("a table of fixations and a table of sentences", "your own data", _add_arguments, _run)
)

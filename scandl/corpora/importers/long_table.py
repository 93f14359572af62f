"""A table of fixations and a table of sentences, as people make them in R or Python."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from scandl.corpora.corpus import Card, Corpus
from scandl.corpora.importers import importer as arguments
from scandl.corpora.importers.assemble import assemble
from scandl.corpora.importers.column_guesses import advice
from scandl.corpora.importers.covariates import covariates
from scandl.corpora.importers.delimited import encoding_note
from scandl.corpora.importers.filters import Filters
from scandl.corpora.importers.fixation_report import ColumnsError, FixationReport, read_report
from scandl.corpora.importers.fixations import NEEDED, OPTIONAL, gather
from scandl.corpora.importers.importer import IMPORTERS, Importer
from scandl.corpora.importers.sentences import KEY_OF_TEXTS, read_sentences
from scandl.errors import ScandlError

CARD = Card(name="csv", source="a table of fixations and a table of sentences")
OF_SENTENCES = ("text", "item_id", KEY_OF_TEXTS)
"""Meanings of columns that only the table of sentences has."""


def import_csv(
    fixations: Path | str,
    sentences: Path | str,
    *,
    columns: Mapping[str, str] | None = None,
    index_base: int | None = None,
    encoding: str | None = None,
    filters: Filters | None = None,
    card: Card = CARD,
) -> Corpus:
    """Import a table of fixations and a table of sentences: CSV, TSV, Excel or Parquet.

    Columns that describe the sentence or the reader are kept; the card names those that are left out.

    Parameters
    ----------
    fixations
        One row per fixation. A column called ``word_index`` is ours and counts from 0; under any other
        name the base is found by comparing labels, or asked for.
    sentences
        One row per sentence: its identifier and its text; further columns are kept.
    columns
        ReportColumn names by meaning, where the header leaves it open; ``Item+Condition`` joins two.
    index_base
        What the first word is called.
    encoding
        Of both files; None finds it file by file: UTF-8, UTF-16 or cp1252.
    filters
        What to leave out beyond fixations outside every word.
    card
        What is known of the corpus.
    """
    paths, said = (Path(fixations), Path(sentences)), dict(columns or {})
    faults: list[ColumnsError] = []
    try:
        texts = read_sentences(paths[1], said, encoding)
    except ColumnsError as error:
        faults.append(error)
    of_fixations = {meaning: name for meaning, name in said.items() if meaning not in OF_SENTENCES}
    try:
        report = read_report(paths[0], NEEDED, OPTIONAL, chosen=of_fixations, encoding=encoding)
    except ColumnsError as error:
        faults.insert(0, error)
    if faults:
        flags = advice(faults, said, paths[1], encoding)
        raise ScandlError(f"{'; '.join(map(str, faults))}; probably: {flags}")
    report = _without_false_labels(report)
    if index_base is None and report["word_index"].name == "word_index":
        index_base = 0
    others = covariates(report, encoding)
    notes = (card.notes, *(encoding_note(path, encoding) for path in paths), _taken(report), others.note)
    return assemble(
        replace(card, notes="; ".join(filter(None, notes))),
        others.added_to(texts),
        gather(report, texts, index_base=index_base),
        filters,
        readers=others.readers,
    )


def _without_false_labels(report: FixationReport) -> FixationReport:
    """Return the report without a column of labels that holds whole texts."""
    if "word" not in report or not any(len(text.split()) > 1 for text in report["word"].texts):
        return report
    return replace(report, columns={m: column for m, column in report.columns.items() if m != "word"})


def _taken(report: FixationReport) -> str:
    """Say which columns have which meaning, where their names are not ours."""
    pairs = [f"{meaning} is {c.name}" for meaning, c in report.columns.items() if meaning != c.name]
    return f"columns: {', '.join(pairs)}" if pairs else ""


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

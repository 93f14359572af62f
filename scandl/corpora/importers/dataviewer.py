"""Reports of EyeLink Data Viewer: a fixation report, and interest areas or a table of sentences."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from scandl.corpora.corpus import Card, Corpus
from scandl.corpora.importers import importer as arguments
from scandl.corpora.importers.assemble import assemble
from scandl.corpora.importers.covariates import covariates
from scandl.corpora.importers.filters import Filters
from scandl.corpora.importers.fixation_report import read_report
from scandl.corpora.importers.fixations import NEEDED, OPTIONAL, gather
from scandl.corpora.importers.importer import IMPORTERS, Importer
from scandl.corpora.importers.interest_areas import area_words
from scandl.corpora.importers.sentences import read_sentences, sentences_of
from scandl.errors import ScandlError
from scandl.records import Sentence

CARD = Card(name="dataviewer", source="EyeLink Data Viewer reports")
# Of several columns with one meaning these are Data Viewer's own; the others say the same less directly.
FIXATION_COLUMNS = {"fixation_index": "CURRENT_FIX_INDEX", "word": "CURRENT_FIX_INTEREST_AREA_LABEL"}
AREA_COLUMNS = {"word_index": "IA_ID", "word": "IA_LABEL"}


def import_dataviewer(
    fixations: Path | str,
    areas: Path | str | None = None,
    *,
    sentences: Path | str | None = None,
    columns: Mapping[str, str] | None = None,
    index_base: int | None = None,
    encoding: str | None = None,
    filters: Filters | None = None,
    card: Card = CARD,
) -> Corpus:
    """Import a fixation report with the interest areas or the sentences that belong to it.

    Columns that describe the sentence or the reader are kept; the card names those that are left out.

    Parameters
    ----------
    fixations
        Fixation report, tab- or comma-separated.
    areas
        Interest-area report; the words are its labels in the order of the areas.
    sentences
        Instead of ``areas``: a table of sentence_id and text.
    columns
        Column names by meaning, where the header leaves it open.
    index_base
        What the first word is called; needed when the fixation report has no labels.
    encoding
        Of the reports; None finds it file by file: UTF-8, UTF-16 or cp1252.
    filters
        What to leave out beyond fixations outside every word.
    card
        What is known of the corpus.
    """
    report = read_report(
        fixations, NEEDED, OPTIONAL, chosen=columns or {}, preferred=FIXATION_COLUMNS, encoding=encoding
    )
    if areas is not None and sentences is None:
        texts = _area_sentences(areas, columns, encoding)
    elif sentences is not None and areas is None:
        texts = read_sentences(sentences, columns, encoding)
    else:
        raise ScandlError("expected either an interest-area report or --sentences, one of them")
    others = covariates(report, encoding)
    known = "; ".join(note for note in (card.notes, others.note) if note)
    return assemble(
        replace(card, notes=known),
        others.added_to(texts),
        gather(report, texts, index_base=index_base),
        filters,
        readers=others.readers,
    )


def _area_sentences(
    areas: Path | str, columns: Mapping[str, str] | None, encoding: str | None
) -> dict[str, Sentence]:
    # What the user said of readers and sentences holds for both reports, of words only for the fixations.
    said = {key: name for key, name in (columns or {}).items() if key in ("reader_id", "sentence_id")}
    report = read_report(
        areas,
        ("sentence_id", "word_index", "word"),
        ("reader_id",),
        chosen={},
        preferred=AREA_COLUMNS | said,
        encoding=encoding,
    )
    return sentences_of(area_words(report))


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add_files(parser, arguments.FIXATIONS)
    parser.add_argument("areas", type=Path, nargs="?", metavar="AREAS", help=arguments.AREAS[1])
    parser.add_argument(
        "--sentences", type=Path, metavar="FILE", help="instead: a table of sentence_id, text"
    )
    arguments.add_columns(parser)
    arguments.add_filters(parser)


def _run(args: argparse.Namespace) -> Corpus:
    return import_dataviewer(
        args.fixations,
        args.areas,
        sentences=args.sentences,
        columns=arguments.columns_of(args.column),
        index_base=args.index_base,
        encoding=args.encoding,
        filters=arguments.filters_of(args),
        card=arguments.card_of(args, CARD),
    )


IMPORTERS.register("dataviewer")(
    Importer("EyeLink Data Viewer reports", "your own experiment", _add_arguments, _run)
)

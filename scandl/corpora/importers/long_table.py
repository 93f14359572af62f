"""Tables with one row per fixation: as people make them in R or Python, and as EyeLink Data Viewer does."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from scandl.corpora.corpus import Card, Corpus
from scandl.corpora.importers import importer as arguments
from scandl.corpora.importers.assemble import Filters, assemble
from scandl.corpora.importers.column_meanings import OF_TEXTS, ColumnsError, advice
from scandl.corpora.importers.covariates import covariates
from scandl.corpora.importers.delimited import encoding_note
from scandl.corpora.importers.fixation_report import FixationReport, read_report, with_plain_ids
from scandl.corpora.importers.fixations import NEEDED, OPTIONAL, gather
from scandl.corpora.importers.importer import IMPORTERS, Importer
from scandl.corpora.importers.texts import ListedTexts, area_words, read_listed, sentences_of
from scandl.errors import ScandlError

CSV = Card(name="csv", source="a table of fixations and a table of sentences")
DATA_VIEWER = Card(name="dataviewer", source="EyeLink Data Viewer reports")
OF_SENTENCES = ("text", "item_id", *OF_TEXTS)
"""Meanings of columns that only the table of sentences has."""
# Of several columns with one meaning these are Data Viewer's own; the others say the same less directly.
FIXATION_COLUMNS = {"fixation_index": "CURRENT_FIX_INDEX", "word": "CURRENT_FIX_INTEREST_AREA_LABEL"}
AREA_COLUMNS = {"word_index": "IA_ID", "word": "IA_LABEL"}


def import_csv(
    fixations: Path | str,
    sentences: Path | str,
    *,
    columns: Mapping[str, str] | None = None,
    index_base: int | None = None,
    encoding: str | None = None,
    filters: Filters | None = None,
    card: Card = CSV,
) -> Corpus:
    """Import a table of fixations and a table of sentences or words: CSV, TSV, Excel or Parquet.

    Columns that describe the sentence or the reader are kept; the card names those that are left out.

    Parameters
    ----------
    fixations
        One row per fixation. A column called ``word_index`` is ours and counts from 0; under any other
        name the base is found by comparing labels, or asked for.
    sentences
        One row per sentence: its identifier and its text; or one row per word. Further columns are kept.
    columns
        Column names by meaning, where the header leaves it open; ``Item+Condition`` joins two.
    index_base
        What the first word is called.
    encoding
        Of both files; None finds it file by file: UTF-8, UTF-16 or cp1252.
    filters
        What to leave out beyond fixations outside every word.
    card
        What is known of the corpus.

    Returns
    -------
    Corpus
        Its card says which column was taken for what.
    """
    paths, said = (Path(fixations), Path(sentences)), dict(columns or {})
    faults: list[ColumnsError] = []
    try:
        texts = read_listed(paths[1], said, encoding)
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
    plain = with_plain_ids(report)
    if not set(report["sentence_id"].texts) & texts.sentences.keys() and (
        set(plain["sentence_id"].texts) & texts.sentences.keys()
    ):
        report = plain  # the texts say 1 where the fixations say 1.0
    if index_base is None and report["word_index"].name == "word_index":
        index_base = 0
    notes = [*(encoding_note(path, encoding) for path in paths), _taken(report)]
    return _assembled(card, notes, report, texts, index_base, encoding, filters)


def import_dataviewer(
    fixations: Path | str,
    areas: Path | str | None = None,
    *,
    sentences: Path | str | None = None,
    columns: Mapping[str, str] | None = None,
    index_base: int | None = None,
    encoding: str | None = None,
    filters: Filters | None = None,
    card: Card = DATA_VIEWER,
) -> Corpus:
    """Import a fixation report of Data Viewer with the interest areas or the sentences that belong to it.

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

    Returns
    -------
    Corpus
        The words are the labels of the areas.
    """
    report = read_report(
        fixations, NEEDED, OPTIONAL, chosen=columns or {}, preferred=FIXATION_COLUMNS, encoding=encoding
    )
    if areas is not None and sentences is None:
        # What the user said of readers and sentences holds for both reports, of words for the fixations.
        said = {key: name for key, name in (columns or {}).items() if key in ("reader_id", "sentence_id")}
        listed = read_report(
            areas,
            ("sentence_id", "word_index", "word"),
            ("reader_id",),
            chosen={},
            preferred=AREA_COLUMNS | said,
            encoding=encoding,
        )
        texts = ListedTexts(sentences_of(area_words(listed)))
    elif sentences is not None and areas is None:
        texts = read_listed(sentences, columns, encoding)
    else:
        raise ScandlError("expected either an interest-area report or --sentences, one of them")
    return _assembled(card, [], report, texts, index_base, encoding, filters)


def _assembled(
    card: Card,
    notes: list[str],
    report: FixationReport,
    texts: ListedTexts,
    index_base: int | None,
    encoding: str | None,
    filters: Filters | None,
) -> Corpus:
    """Return the corpus, with the columns that describe sentences and readers."""
    others = covariates(report, encoding)
    return assemble(
        replace(card, notes="; ".join(filter(None, [card.notes, *notes, others.note]))),
        others.added_to(texts.sentences),
        gather(report, texts.sentences, index_base=index_base),
        filters,
        readers=others.readers,
        words=texts.words,
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


def _add_csv(parser: argparse.ArgumentParser) -> None:
    arguments.add_files(
        parser, arguments.FIXATIONS, ("sentences", "table of sentence_id and text, or of words")
    )
    arguments.add_columns(parser)
    arguments.add_filters(parser)


def _add_dataviewer(parser: argparse.ArgumentParser) -> None:
    arguments.add_files(parser, arguments.FIXATIONS)
    parser.add_argument("areas", type=Path, nargs="?", metavar="AREAS", help=arguments.AREAS[1])
    parser.add_argument(
        "--sentences", type=Path, metavar="FILE", help="instead: a table of sentence_id, text"
    )
    arguments.add_columns(parser)
    arguments.add_filters(parser)


def _run_csv(args: argparse.Namespace) -> Corpus:
    card = arguments.card_of(args, CSV)
    return import_csv(args.fixations, args.sentences, **arguments.told_of_tables(args), card=card)


def _run_dataviewer(args: argparse.Namespace) -> Corpus:
    card = arguments.card_of(args, DATA_VIEWER)
    more = arguments.told_of_tables(args)
    return import_dataviewer(args.fixations, args.areas, sentences=args.sentences, **more, card=card)


IMPORTERS.register("csv")(
    Importer("a table of fixations and a table of sentences or words", "your own data", _add_csv, _run_csv)
)
IMPORTERS.register("dataviewer")(
    Importer("EyeLink Data Viewer reports", "your own experiment", _add_dataviewer, _run_dataviewer)
)

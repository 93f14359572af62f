"""OneStop Eye Movements (Berzak et al. 2025): newspaper paragraphs, on request cut into sentences."""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from scandl.corpora.corpus import Card, Corpus
from scandl.corpora.importers import import_flags as arguments
from scandl.corpora.importers.assemble import assemble
from scandl.corpora.importers.filters import Filters
from scandl.corpora.importers.fixation_report import FixationReport, ReportColumn, read_report
from scandl.corpora.importers.fixations import gather
from scandl.corpora.importers.importer import IMPORTERS, Importer
from scandl.corpora.importers.interest_areas import area_words
from scandl.corpora.importers.sentence_splitting import cut_into_sentences
from scandl.corpora.importers.sentences import sentences_of
from scandl.errors import DataError, Fact

CARD = Card(
    name="onestop",
    licence="CC BY 4.0 (eye movements), CC BY-SA 4.0 (texts)",
    citation="Berzak et al. (2025), OneStop, Scientific Data, doi 10.1038/s41597-025-06272-2",
    source="fixations_Paragraph.csv, ia_Paragraph.csv of OneStop Eye Movements",
)
FIXATION_COLUMNS = {
    "reader_id": "participant_id",
    "fixation_index": "CURRENT_FIX_INDEX",
    "word_index": "CURRENT_FIX_INTEREST_AREA_INDEX",
    "duration_ms": "CURRENT_FIX_DURATION",
    "word": "CURRENT_FIX_INTEREST_AREA_LABEL",
}
AREA_COLUMNS = {"reader_id": "participant_id", "word_index": "IA_ID", "word": "IA_LABEL"}
TEXT = ("article_batch", "article_id", "paragraph_id", "difficulty_level")
TRIAL = ("practice_trial", "repeated_reading_trial", "question_preview")
_ARTICLE = re.compile(r"(\d+_\d+)_(?:\d+_(?:Adv|Ele)|(?:Adv|Ele)_\d+)")


def import_onestop(
    fixations: Path | str,
    areas: Path | str,
    *,
    cut: bool = False,
    repeated: bool = False,
    index_base: int | None = None,
    encoding: str = "utf-8",
    filters: Filters | None = None,
    card: Card = CARD,
) -> Corpus:
    """Import the paragraph reports of OneStop.

    Parameters
    ----------
    fixations, areas
        ``fixations_Paragraph.csv`` and ``ia_Paragraph.csv`` (tab-separated, whatever the name says).
    cut
        Cut the paragraphs into sentences.
    repeated
        Take the second readings of the articles that were read twice, not the first ones.
    index_base
        Where the fixations count words from; found by their labels if not given.
    encoding
        Of the reports, if not UTF-8.
    filters
        What to leave out, applied to the paragraphs.
    card
        What is known of the corpus.
    """
    report, dropped = _read(
        fixations,
        ("reader_id", "word_index"),
        ("fixation_index", "duration_ms", "word"),
        FIXATION_COLUMNS,
        encoding,
        repeated,
    )
    listed, _ = _read(areas, ("word_index", "word"), ("reader_id",), AREA_COLUMNS, encoding, repeated)
    sentences = {
        key: replace(sentence, item_id=_article(key))
        for key, sentence in sentences_of(area_words(listed)).items()
    }
    gathered = gather(report, sentences, index_base=index_base, drop_unknown=True)
    gathered = replace(gathered, dropped=gathered.dropped + dropped)
    corpus = assemble(card, sentences, gathered, filters, readers=_regimes(report))
    return cut_into_sentences(corpus) if cut else corpus


def _read(
    path: Path | str,
    needed: Sequence[str],
    optional: Sequence[str],
    preferred: dict[str, str],
    encoding: str,
    repeated: bool,
) -> tuple[FixationReport, Counter[str]]:
    """Return the rows of one reading per reader and text, named by text, and what was left out."""
    trial = ("unique_paragraph_id", *TEXT, *TRIAL)
    report = read_report(path, needed, (*optional, *trial), preferred=preferred, encoding=encoding)
    dropped: Counter[str] = Counter()
    for column, wanted, reason in (
        ("practice_trial", False, "fixations of practice trials"),
        ("repeated_reading_trial", repeated, f"fixations of {'first' if repeated else 'repeated'} readings"),
    ):
        if column in report:
            keep = report.numbers(column, _flag, "True or False", frozenset()) == wanted
            dropped[reason] = int((~keep).sum())
            report = report.only(keep)
    return replace(report, columns=report.columns | {"sentence_id": _text_names(report)}), +dropped


def _flag(text: str) -> float:
    """Return 1 or 0; tools write truth values as words or as numbers.

    >>> _flag("TRUE"), _flag("0.0")
    (1.0, 0.0)
    """
    word = text.strip().lower()
    value = {"true": 1.0, "false": 0.0}.get(word)
    value = float(word) if value is None else value
    if value not in (0.0, 1.0):
        raise ValueError(text)
    return value


def _text_names(report: FixationReport) -> ReportColumn:
    """Return the column that names the text; without one it is made of batch, article, paragraph, level."""
    if "unique_paragraph_id" in report:
        return report["unique_paragraph_id"]
    for part in TEXT:
        if part not in report:
            expected = f"unique_paragraph_id, or {', '.join(TEXT)}"
            raise DataError(report.path, 1, part, Fact("no such column"), expected)
    parts = [report[part] for part in TEXT]
    rows = zip(*(column.codes.tolist() for column in parts), strict=True)
    names = {
        codes: "_".join(column.texts[code] for column, code in zip(parts, codes, strict=True))
        for codes in set(rows)
    }
    rows = zip(*(column.codes.tolist() for column in parts), strict=True)
    return ReportColumn.of("_".join(TEXT), (names[codes] for codes in rows))


def _article(text: str) -> str:
    """Return the article of a paragraph: versions and paragraphs of one article belong together.

    >>> _article("2_1_3_Ele"), _article("2_1_Adv_3"), _article("other")
    ('2_1', '2_1', '')
    """
    found = _ARTICLE.fullmatch(text)
    return found[1] if found else ""


def _regimes(report: FixationReport) -> dict[str, dict[str, str]]:
    """Return for each reader whether the question was shown before the text."""
    if "question_preview" not in report:
        return {}
    import numpy as np

    reader = report["reader_id"]
    _, rows = np.unique(reader.codes, return_index=True)
    preview = "question_preview"
    return {report.cell(row, "reader_id"): {preview: report.cell(row, preview)} for row in rows}


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add_files(parser, arguments.FIXATIONS, arguments.AREAS)
    parser.add_argument("--sentences", action="store_true", help="cut the paragraphs into sentences")
    parser.add_argument("--repeated", action="store_true", help="take second readings, not first ones")
    parser.add_argument("--index-base", type=int, choices=(0, 1), help="where fixations count words from")
    parser.add_argument("--encoding", default="utf-8", metavar="NAME", help="of the files (default utf-8)")
    arguments.add_filters(parser)


def _run(args: argparse.Namespace) -> Corpus:
    return import_onestop(
        args.fixations,
        args.areas,
        cut=args.sentences,
        repeated=args.repeated,
        index_base=args.index_base,
        encoding=args.encoding,
        filters=arguments.filters_of(args),
        card=arguments.card_of(args, CARD),
    )


IMPORTERS.register("onestop")(
    Importer(
        "OneStop Eye Movements: paragraphs of newspaper articles",
        "the OneStop Eye Movements project of lacclab (open data)",
        _add_arguments,
        _run,
    )
)

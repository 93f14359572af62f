"""CELER (Berzak et al. 2022): single sentences, half of them shared by all readers."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from scandl.corpora.corpus import Card, Corpus, Pair
from scandl.corpora.importers import import_flags as arguments
from scandl.corpora.importers.assemble import assemble
from scandl.corpora.importers.filters import CELER_RELEASED, Filters, released_or
from scandl.corpora.importers.fixation_report import MISSING, FixationReport, ReportColumn, read_report
from scandl.corpora.importers.fixations import gather
from scandl.corpora.importers.importer import IMPORTERS, Importer
from scandl.errors import DataError, Fact
from scandl.files.tables import read_table
from scandl.records import Sentence

CARD = Card(
    name="celer",
    licence="texts under a licence of the Linguistic Data Consortium; check with the owner",
    citation="Berzak et al. (2022), CELER, Open Mind",
    source="sent_fix.tsv, sent_ia.tsv, metadata.tsv of CELER",
)
ENGLISH = "English"
"""What is read, and the first language of its natives."""
COLUMNS = {
    "reader_id": "list",
    "sentence_id": "sentenceid",
    "sentence": "sentence",
    "word": "IA_LABEL",
}
FIXATION_COLUMNS = COLUMNS | {
    "fixation_index": "CURRENT_FIX_INDEX",
    "word_index": "CURRENT_FIX_INTEREST_AREA_ID",
    "duration_ms": "CURRENT_FIX_DURATION",
    "word": "CURRENT_FIX_INTEREST_AREA_LABEL",
}


def _without_two_before_last(text: str) -> str:
    return text[:-3] + text[-1:]


CORRECTIONS: dict[str, Callable[[str], str]] = {
    "1987/w7_019/w7_019.295-3": _without_two_before_last,
    "1987/w7_036/w7_036.147-43": _without_two_before_last,
    "1987/w7_091/w7_091.360-6": _without_two_before_last,
    "1987/w7_085/w7_085.200-18": lambda text: text[:43] + text[44:],
}
"""Four sentences carry stray characters in the files."""


def import_celer(
    fixations: Path | str,
    areas: Path | str,
    metadata: Path | str,
    *,
    first_language: str | None = ENGLISH,
    released_code: bool = False,
    filters: Filters | None = None,
    card: Card = CARD,
) -> Corpus:
    """Import CELER from its three tab-separated files.

    Parameters
    ----------
    fixations, areas, metadata
        ``sent_fix.tsv``, ``sent_ia.tsv`` and the participants' ``metadata.tsv``.
    first_language
        Readers with this first language (69 for English); None takes all.
    released_code
        Do what the released ScanDL code does: leave out the sixth reader, and its four filters.
        Otherwise every fixation on a word is kept but for ``filters``.
    filters
        What to leave out; not together with ``released_code``.
    card
        What is known of the corpus.
    """
    filters = released_or(CELER_RELEASED if released_code else None, filters)
    readers = _readers(Path(metadata), first_language)
    left_out: Counter[str] = Counter()
    if released_code:
        sixth = list(readers)[5:6]
        readers = {key: row for key, row in readers.items() if key not in sixth}
        left_out["readers skipped by the released code"] = len(sixth)
    areas_of_readers = _of_readers(
        read_report(areas, ("reader_id", "sentence_id", "sentence", "word"), preferred=COLUMNS), readers
    )
    sentences, wrong = _sentences(areas_of_readers)
    left_out["trials whose words and interest areas differ in number"] = len(wrong)
    report = read_report(
        fixations,
        ("reader_id", "sentence_id", "word_index", "word", "duration_ms"),
        ("fixation_index",),
        preferred=FIXATION_COLUMNS,
    )
    report = _without_trials(_labelled(_of_readers(report, readers)), wrong)
    gathered = gather(report, sentences, index_base=1, drop_unknown=True)
    gathered = replace(gathered, dropped=gathered.dropped + left_out)
    return assemble(card, sentences, gathered, filters, readers=readers)


def _readers(path: Path, first_language: str | None) -> dict[str, dict[str, str]]:
    """Return the metadata of the wanted readers in the order of the file, and a group: L1 or L2."""
    table = read_table(path, delimiter="\t")
    ids, languages = table.need("List", "L1")
    for i, key in enumerate(ids):
        if not key or key in ids[:i]:
            found = Fact(f"{key!r} a second time" if key else "nothing")
            raise DataError(path, table.line(i), "List", found, "each reader once, with an id")
    chosen = {
        key: {name: value for name, value in row.items() if name != "List"}
        | {"group": "L1" if language == ENGLISH else "L2"}
        for key, language, row in zip(ids, languages, table.rows(), strict=True)
        if first_language in (None, language)
    }
    if not chosen:
        known = ", ".join(sorted(set(languages)))
        raise DataError(path, None, "L1", Fact(f"no reader with {first_language!r}"), f"one of: {known}")
    return chosen


def _of_readers(report: FixationReport, readers: dict[str, dict[str, str]]) -> FixationReport:
    import numpy as np

    column = report["reader_id"]
    wanted = np.array([text in readers for text in column.texts], dtype=bool)
    return report.only(wanted[column.codes])


def _labelled(report: FixationReport) -> FixationReport:
    """Give fixations whose label is missing no word number either: the label decides."""
    import numpy as np

    word, index = report["word"], report["word_index"]
    # Only these: NA and None, which mean missing among numbers, are words among labels.
    missing = np.array([text.strip() in ("", ".") for text in word.texts], dtype=bool)[word.codes]
    codes = np.where(missing, len(index.texts), index.codes)
    column = ReportColumn(index.name, [*index.texts, "."], codes)
    return replace(report, columns=report.columns | {"word_index": column})


def _sentences(report: FixationReport) -> tuple[dict[str, Sentence], set[Pair]]:
    """Return the sentences, and the trials whose interest areas are not one per word."""
    import numpy as np

    key, text, reader = report["sentence_id"], report["sentence"], report["reader_id"]
    has_text = np.array([value.strip() not in MISSING for value in text.texts], dtype=bool)[text.codes]
    rows = np.flatnonzero(has_text)
    trials, first, n_areas = np.unique(
        np.stack([reader.codes[rows], key.codes[rows]]), axis=1, return_index=True, return_counts=True
    )
    sentences: dict[str, Sentence] = {}
    given: dict[str, str] = {}
    wrong: set[Pair] = set()
    for n in np.argsort(first):
        row = int(rows[first[n]])
        name, raw = report.cell(row, "sentence_id"), report.cell(row, "sentence")
        if given.setdefault(name, raw) != raw:
            found = Fact(f"another text of sentence {name!r} than another reader has")
            raise report.error(row, "sentence", found, "one text per sentence")
        if name not in sentences:
            shared = {"shared": str(int(name.startswith("en")))}
            sentences[name] = Sentence(name, corrected(name, raw), "", shared)
        if sentences[name].n_words != n_areas[n]:
            wrong.add((reader.texts[trials[0, n]], name))
    return sentences, wrong


def corrected(sentence_id: str, text: str) -> str:
    """Return the text without stray characters, and with single spaces.

    >>> corrected("1987/w7_019/w7_019.295-3", "It fell x.")
    'It fell.'
    """
    return " ".join(CORRECTIONS.get(sentence_id, str)(text).split())


def _without_trials(report: FixationReport, wrong: set[Pair]) -> FixationReport:
    import numpy as np

    reader, sentence = report["reader_id"], report["sentence_id"]
    codes = {text: code for code, text in enumerate(sentence.texts)}
    numbers = {text: code for code, text in enumerate(reader.texts)}
    bad = [numbers[who] * len(codes) + codes[what] for who, what in wrong if who in numbers and what in codes]
    return report.only(~np.isin(reader.codes * len(codes) + sentence.codes, bad))


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add_files(
        parser, ("fixations", "sent_fix.tsv"), ("areas", "sent_ia.tsv"), ("metadata", "metadata.tsv")
    )
    parser.add_argument("--first-language", default=ENGLISH, metavar="L1", help="'all' for every reader")
    parser.add_argument(
        "--released-code", action="store_true", help="readers and filters of the released ScanDL code"
    )
    arguments.add_filters(parser)


def _run(args: argparse.Namespace) -> Corpus:
    return import_celer(
        args.fixations,
        args.areas,
        args.metadata,
        first_language=None if args.first_language == "all" else args.first_language,
        released_code=args.released_code,
        filters=arguments.filters_of(args),
        card=arguments.card_of(args, CARD),
    )


IMPORTERS.register("celer")(
    Importer(
        "CELER: English sentences, native and second-language readers",
        "the CELER repository of Berzak et al.; the texts need a licence of the LDC",
        _add_arguments,
        _run,
    )
)

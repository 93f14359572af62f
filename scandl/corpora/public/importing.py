"""The engine that makes a corpus of the files of a public one, as its declaration says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from scandl.corpora.corpus import Corpus, Pair
from scandl.corpora.importers.assemble import Filters, assemble
from scandl.corpora.importers.fixation_report import (
    FixationReport,
    ReportColumn,
    finite,
    whole_number,
    with_plain_ids,
)
from scandl.corpora.importers.fixations import NEEDED, OPTIONAL, Gathered, gather, letters
from scandl.corpora.importers.sentence_splitting import cut_into_sentences
from scandl.corpora.importers.zuco_mat import read_matlab
from scandl.corpora.public.declaration import Declaration, Fixations
from scandl.corpora.public.declared_tables import (
    found_files,
    read_declared,
    read_people,
    with_templates,
)
from scandl.corpora.public.declared_texts import TextsRead, completed, read_texts
from scandl.errors import DataError, Fact, ScandlError
from scandl.files.manifest import digest
from scandl.files.results import sha256
from scandl.records import Scanpath

if TYPE_CHECKING:
    from scandl.corpora.importers.fixation_report import Floats, Ints

OUTSIDE = "fixations on areas that do not exist"
BROKEN = "trials whose words and interest areas differ in number"
TABLES = (".csv", ".tsv", ".txt", ".dat", ".xlsx", ".parquet")
_AGREE = 0.9  # of the labels of a trial, so that it is of a text


def import_public(
    declaration: Declaration,
    folder: Path | str,
    columns: Mapping[str, str] | None = None,
    filters: Filters | None = None,
) -> Corpus:
    """Return the corpus in the files that a folder holds, at whatever depth.

    Parameters
    ----------
    declaration
        What the files are.
    folder
        Where they are.
    columns
        The user's own word on columns of the fixations, by meaning, where a release calls them otherwise.
    filters
        What to leave out; not together with a edition that filters.

    Returns
    -------
    Corpus
        Its card counts what was left out, by reason.
    """
    root = Path(folder)
    if filters not in (None, Filters()) and declaration.filters != Filters():
        raise ScandlError("this edition brings its own filters: give no others")
    said = replace(declaration.fixations, columns={**declaration.fixations.columns, **(columns or {})})
    people = read_people(declaration.people, root) if declaration.people else None
    dropped: Counter[str] = Counter()
    reports, texts = _read(declaration, said, root, dropped)
    dropped[BROKEN] += len(texts.broken)
    left_out = {tuple(pair.split("/")): why for pair, why in declaration.leave_out.items()}
    paths: dict[Pair, Scanpath] = {}
    notes: dict[str, None] = {}
    readers: dict[str, dict[str, str]] = {}
    for report in reports:
        report = _of_people(report, people)
        report = _on_words(_renamed(report, texts, said), texts, said, dropped)
        report = _without(report, {*texts.broken, *left_out})
        found = gather(report, texts.sentences, index_base=said.index_base, drop_unknown=said.drop_unknown)
        for path in found.scanpaths:
            if (path.reader_id, path.sentence_id) in paths:
                twice = Fact(f"reader {path.reader_id!r} on text {path.sentence_id!r} as in a file before")
                raise DataError(report.path, None, None, twice, "each text once per reader")
            paths[path.reader_id, path.sentence_id] = path
        dropped += found.dropped
        notes |= {found.note.split(" (")[0]: None} if found.note else {}
        readers |= _of_readers(report, said)
    dropped += Counter(left_out.values())
    order = paths if said.in_order else sorted(paths, key=lambda pair: [_by_number(name) for name in pair])
    gathered = Gathered([paths[pair] for pair in order], dropped, "; ".join(notes))
    readers = {
        reader: {**declaration.readers, **readers.get(reader, {}), **(people or {}).get(reader, {})}
        for reader in dict.fromkeys(path.reader_id for path in gathered.scanpaths)
    }
    corpus = assemble(
        declaration.card,
        texts.sentences,
        gathered,
        filters or declaration.filters,
        readers=readers if any(readers.values()) else None,
        words=texts.words,
    )
    if not declaration.sentences:
        return corpus
    return cut_into_sentences(corpus, declaration.sentences, declaration.late)


def _by_number(name: str) -> list[int | str]:
    """Return what a name is sorted by: its numbers as numbers.

    >>> sorted(["s10", "s9", "a1"], key=_by_number)
    ['a1', 's9', 's10']
    """
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", name)]


def checksums(declaration: Declaration, folder: Path | str) -> dict[str, str]:
    """Return the SHA-256 of every file that the corpus is made of; of many, that of their list."""
    parts = (declaration.fixations, *declaration.texts, declaration.items, declaration.people)
    found: dict[str, str] = {}
    for pattern in (part.files for part in parts if part is not None and part.files):
        sums = [(path.name, sha256(path)) for path in sorted(Path(folder).rglob(pattern)) if path.is_file()]
        if len(sums) > 1:
            found[f"{pattern} ({len(sums)} files)"] = digest(*sums)
        elif sums:
            found[sums[0][0]] = sums[0][1]
    return found


def _read(
    declaration: Declaration, said: Fixations, root: Path, dropped: Counter[str]
) -> tuple[list[FixationReport], TextsRead]:
    """Return the tables of fixations, and the texts."""
    paths = found_files(root, said.files)
    if said.matlab:
        return _read_matlab(declaration, said, paths, root, dropped)
    if said.by_columns:
        others = {path for way in declaration.texts if way.files for path in root.rglob(way.files)}
        paths = [path for path in paths if path not in others and path.suffix in TABLES]
    reports: list[FixationReport] = []
    faults: list[DataError] = []
    columns = {**said.columns, **{f"of readers {name}": f"{name}|" for name in said.of_readers}}
    for path in paths:
        try:
            report = read_declared(
                path,
                columns,
                needed=(*NEEDED, *OPTIONAL) if said.by_columns else NEEDED,
                usual=said.by_columns,
                header=said.header,
                encoding=said.encoding,
                file_name=said.file_name,
                keep=declaration.keep,
                dropped=dropped,
            )
        except DataError as error:
            if not said.by_columns:
                raise
            faults.append(error)
            continue
        reports.append(with_plain_ids(report))
    if not reports:
        looked = "; ".join(map(str, faults)) or "no table"
        raise DataError(root, None, None, Fact(looked), "a table of fixations (--column MEANING=NAME)")
    return reports, read_texts(declaration, root, reports)


def _read_matlab(
    declaration: Declaration, said: Fixations, paths: Sequence[Path], root: Path, dropped: Counter[str]
) -> tuple[list[FixationReport], TextsRead]:
    """Return what MATLAB files hold: fixations and texts."""
    reports, known = [], TextsRead()
    for path in paths:
        report, texts, left_out = read_matlab(path)
        listed = replace(report, columns={"number": ReportColumn.of("number", texts)})
        names = with_templates(listed, {"sentence_id": said.columns["sentence_id"]}, said.file_name)
        for name, text in zip(names["sentence_id"].texts, texts.values(), strict=True):
            known.add(path, name, text)
        dropped += left_out
        if len(report):
            reports.append(with_templates(report, said.columns, said.file_name))
    texts = {key: sentence.text for key, sentence in known.sentences.items()}
    return reports, completed(texts, declaration, root)


def _of_people(report: FixationReport, people: Mapping[str, object] | None) -> FixationReport:
    """Return the rows of the readers that are taken."""
    if people is None:
        return report
    column = report["reader_id"]
    return report.only(np.array([text in people for text in column.texts], dtype=bool)[column.codes])


def _without(report: FixationReport, pairs: set[tuple[str, ...]]) -> FixationReport:
    """Return the report without some trials."""
    if not pairs:
        return report
    readers, texts = report["reader_id"], report["sentence_id"]
    codes = readers.codes * len(texts.texts) + texts.codes
    who = {text: code for code, text in enumerate(readers.texts)}
    what = {text: code for code, text in enumerate(texts.texts)}
    bad = [who[a] * len(what) + what[b] for a, b in pairs if a in who and b in what]
    return report.only(~np.isin(codes, bad))


def _of_readers(report: FixationReport, said: Fixations) -> dict[str, dict[str, str]]:
    """Return the columns that describe readers, as their first rows have them."""
    names = [name for name in said.of_readers if f"of readers {name}" in report]
    reader = report["reader_id"]
    _, rows = np.unique(reader.codes, return_index=True)
    return {
        report.cell(row, "reader_id"): {name: report.cell(row, f"of readers {name}") for name in names}
        for row in rows.tolist()
    }


def _on_words(
    report: FixationReport, texts: TextsRead, said: Fixations, dropped: Counter[str]
) -> FixationReport:
    """Return the fixations with words for areas, in milliseconds; what is on no area can be left out."""
    sentences, names = texts.sentences, report["sentence_id"]
    known = [sentences[name].words if name in sentences else () for name in names.texts]
    if said.labelled:
        word = report["word"]
        missing = np.array([text.strip() in ("", ".") for text in word.texts], dtype=bool)[word.codes]
        area = report["word_index"]
        codes = np.where(missing, len(area.texts), area.codes)
        report = _with(report, "word_index", ReportColumn(area.name, [*area.texts, "."], codes))
    if said.characters or said.as_listed or said.drop_outside:
        index = report.numbers("word_index", whole_number, "the number of an area, or '.' for none")
    if said.characters:
        ends = [np.cumsum([len(word) for word in words]) for words in known]
        index = np.array(
            [
                at if at != at else np.searchsorted(ends[text], at) + (said.index_base or 0)
                for at, text in zip(index.tolist(), names.codes.tolist(), strict=True)
            ]
        )
    if said.as_listed:
        index = index - np.array([texts.first.get(name, 0) for name in names.texts])[names.codes]
    if said.characters or said.as_listed:
        cells = ("." if at != at else str(int(at)) for at in index.tolist())
        report = _with(report, "word_index", ReportColumn.of(report["word_index"].name, cells))
    if said.ms != 1 and "duration_ms" in report:
        column = report["duration_ms"]
        report.numbers("duration_ms", finite, "a number")
        times = [str(float(text) * said.ms) if text.strip() else text for text in column.texts]
        report = _with(report, "duration_ms", ReportColumn.of(column.name, np.array(times)[column.codes]))
    if said.drop_outside:
        place = index - (said.index_base or 0)
        length = np.array([len(words) if words else np.inf for words in known])[names.codes]
        outside = (place < 0) | (place >= length)
        dropped[OUTSIDE] += int(outside.sum())
        report = report.only(~outside)
    return report


def _with(report: FixationReport, meaning: str, column: ReportColumn) -> FixationReport:
    return replace(report, columns=report.columns | {meaning: column})


def _renamed(report: FixationReport, texts: TextsRead, said: Fixations) -> FixationReport:
    """Return the report with the texts of some readers named by what they read: labels at their numbers.

    A reading begins where the text changes or the number of the fixation does not rise.
    """
    readers, names = report["reader_id"], report["sentence_id"]
    who = [code for code, text in enumerate(readers.texts) if text in said.by_labels]
    rows = np.flatnonzero(np.isin(readers.codes, who))
    if not len(rows):
        return report
    order = report.numbers("fixation_index", finite, "a number that orders the fixations", frozenset())
    index = report.numbers("word_index", whole_number, "the number of a word")
    cells = np.array(names.texts, dtype=object)[names.codes]
    new = (np.diff(rows) > 1) | (np.diff(names.codes[rows]) != 0) | ~(np.diff(order[rows]) > 0)
    starts = [0, *(np.flatnonzero(new) + 1).tolist(), len(rows)]
    for start, stop in pairwise(starts):
        run = rows[start:stop]
        cells[run] = _text_of(report, run, index, said.index_base or 0, texts) or cells[run[0]]
    return _with(report, "sentence_id", ReportColumn.of(names.name, cells.tolist()))


def _text_of(report: FixationReport, rows: Ints, index: Floats, base: int, texts: TextsRead) -> str:
    """Return the text whose words stand where some fixations found them; nothing if there is none."""
    seen = [
        (int(index[row]) - base, letters(report.cell(row, "word")))
        for row in rows.tolist()
        if index[row] == index[row]
    ]
    for key, sentence in texts.sentences.items():
        words = [letters(word) for word in sentence.words]
        agree = sum(0 <= at < len(words) and words[at] == label for at, label in seen)
        if seen and agree >= _AGREE * len(seen):
            return key
    return ""

"""The engine that makes a corpus of the files of a public one, as its declaration says."""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scandl.corpora.corpus import Corpus, digest
from scandl.corpora.importers.assemble import assemble
from scandl.corpora.importers.delimited import read_delimited
from scandl.corpora.importers.fixation_report import (
    FixationReport,
    ReportColumn,
    read_report,
    whole_number,
)
from scandl.corpora.importers.fixations import Gathered, gather
from scandl.corpora.importers.importer import IMPORTERS
from scandl.corpora.importers.interest_areas import area_words, clean_label
from scandl.corpora.importers.sentence_splitting import cut_into_sentences
from scandl.corpora.importers.sentences import sentences_of
from scandl.corpora.public.declaration import Declaration, Fixations, Texts
from scandl.errors import DataError, Fact
from scandl.files.results import sha256
from scandl.records import Scanpath, Sentence

if TYPE_CHECKING:
    import numpy as np

OUTSIDE = "fixations on areas that do not exist"
_NO_LABEL = frozenset({"", ".", "n/a"})
"""Labels that are no word; NA and None are words."""


def import_public(
    declaration: Declaration, folder: Path | str, columns: Mapping[str, str] | None = None
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
    """
    root = Path(folder)
    if declaration.fixations is None:
        return _by_importer(declaration, root)
    said = declaration.fixations
    said = replace(said, columns={**said.columns, **(columns or {})})
    dropped: Counter[str] = Counter()
    reports = [_report(path, said, dropped) for path in _found(root, said.files)]
    texts = {
        key: _corrected(sentence, declaration) for key, sentence in _texts(declaration, root, reports).items()
    }
    texts = _described(texts, declaration, root)
    paths: dict[tuple[str, str], Scanpath] = {}
    notes: dict[str, None] = {}
    for report in reports:
        report = _on_words(report, texts, said, dropped)
        found = gather(report, texts, index_base=said.index_base, drop_unknown=said.drop_unknown)
        for path in found.scanpaths:
            if (path.reader_id, path.sentence_id) in paths:
                twice = Fact(f"reader {path.reader_id!r} on text {path.sentence_id!r} as in a file before")
                raise DataError(report.path, None, None, twice, "each text once per reader")
            paths[path.reader_id, path.sentence_id] = path
        dropped += found.dropped
        notes |= {found.note.split(" (")[0]: None} if found.note else {}
    gathered = Gathered([paths[pair] for pair in sorted(paths)], dropped, "; ".join(notes))
    readers = {path.reader_id: dict(declaration.readers) for path in gathered.scanpaths}
    corpus = assemble(declaration.card, texts, gathered, readers=readers if declaration.readers else None)
    if not declaration.sentences:
        return corpus
    return cut_into_sentences(corpus, declaration.sentences, declaration.late)


def checksums(declaration: Declaration, folder: Path | str) -> dict[str, str]:
    """Return the SHA-256 of every file that the corpus is made of; of many, that of their list."""
    said = declaration.fixations
    ways = [*declaration.texts, *([declaration.items] if declaration.items else [])]
    patterns = [said.files, *(way.files for way in ways)] if said else []
    patterns += [part[1:-1] for part in declaration.command if part.startswith("{") and part != "{.}"]
    found: dict[str, str] = {}
    for pattern in filter(None, patterns):
        sums = [(path.name, sha256(path)) for path in sorted(Path(folder).rglob(pattern)) if path.is_file()]
        if len(sums) > 1:
            found[f"{pattern} ({len(sums)} files)"] = digest(*sums)
        elif sums:
            found[sums[0][0]] = sums[0][1]
    return found


def _by_importer(declaration: Declaration, root: Path) -> Corpus:
    """Run the declared importer; in its command ``{name}`` is a file and ``{.}`` the folder."""
    kind, *arguments = declaration.command
    parser = argparse.ArgumentParser()
    importer = IMPORTERS[kind]
    importer.add_arguments(parser)
    for key in ("name", "language", "kind", "licence", "citation"):
        parser.set_defaults(**{key: getattr(declaration.card, key)})
    filled = [_filled(part, root) for part in arguments]
    corpus = importer.run(parser.parse_args(filled))
    return replace(corpus, card=replace(corpus.card, bibtex=declaration.card.bibtex))


def _filled(part: str, root: Path) -> str:
    if part == "{.}":
        return str(root)
    return str(_found(root, part[1:-1])[0]) if part.startswith("{") else part


def _found(root: Path, pattern: str) -> list[Path]:
    """Return the files below a folder whose names, or last parts of the path, fit a pattern."""
    if not root.is_dir():
        raise DataError(root, None, None, Fact("no folder"), f"a folder with {pattern}")
    paths = sorted(path for path in root.rglob(pattern) if path.is_file())
    if not paths:
        raise DataError(root, None, None, Fact("no such file"), f"files called {pattern}")
    return paths


def _report(path: Path, said: Fixations, dropped: Counter[str]) -> FixationReport:
    """Return the rows of one table that are kept, with reader and text."""
    wanted = {**said.columns, **{name: name for name in said.keep}}
    if said.header:
        report = _without_header(path, said, wanted)
    else:
        needed = list(wanted) if "sentence_id" in wanted else [*wanted, "sentence_id"]
        report = read_report(path, needed, chosen=wanted, encoding=said.encoding or None)
    for name, expression in said.keep.items():
        keep = _matching(report[name], expression)
        dropped[f"rows with another {name}"] += int((~keep).sum())
        report = report.only(keep)
    if said.file_name:
        named = re.search(said.file_name, path.name)
        if named is None:
            raise DataError(path, None, None, Fact(f"the name {path.name!r}"), f"{said.file_name}")
        reader = said.reader_id.format(**named.groupdict())
        columns = report.columns | {"reader_id": ReportColumn.of("the file's name", [reader] * len(report))}
        report = replace(report, columns=columns)
    return report


def _without_header(path: Path, said: Fixations, wanted: Mapping[str, str]) -> FixationReport:
    """Read a table whose columns the declaration names."""
    rows = [line.split("\t") for line in path.read_text(encoding=said.encoding or "utf-8").splitlines()]
    for n, row in enumerate(rows, start=1):
        if len(row) != len(said.header):
            raise DataError(path, n, None, Fact(f"{len(row)} fields"), f"{len(said.header)}")
    cells = dict(zip(said.header, zip(*rows, strict=True), strict=True))
    columns = {meaning: ReportColumn.of(name, cells[name]) for meaning, name in wanted.items()}
    return FixationReport(path, columns, line_of=lambda row: row + 1)


def _matching(column: ReportColumn, expression: str) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Return which rows of a column fit an expression."""
    import numpy as np

    fits = np.array([bool(re.fullmatch(expression, text)) for text in column.texts], dtype=bool)
    return fits[column.codes]


def _texts(declaration: Declaration, root: Path, reports: Sequence[FixationReport]) -> dict[str, Sentence]:
    """Return the texts by the first declared way whose files are there."""
    for way in declaration.texts:
        paths = sorted(root.rglob(way.files)) if way.files else []
        if paths:
            found: dict[str, Sentence] = {}
            for path in paths:
                for key, sentence in _texts_of(path, way).items():
                    if found.setdefault(key, sentence).text != sentence.text:
                        other = Fact(f"other words of text {key!r} than in a file before")
                        raise DataError(path, None, None, other, "the same words in every file")
            return found
        if not way.files:
            said = declaration.fixations
            assert said is not None
            return _texts_of_labels(reports, said.index_base or 0, declaration.corrections, root)
    expected = " or ".join(way.files for way in declaration.texts)
    raise DataError(root, None, None, Fact("no table of the texts"), expected)


def _texts_of(path: Path, way: Texts) -> dict[str, Sentence]:
    """Return the texts in a table of words, a table of texts, or one in each line."""
    if way.lines:
        lines = path.read_text(encoding=way.encoding or "utf-8").splitlines()
        return {str(n): Sentence(str(n), " ".join(line.split())) for n, line in enumerate(lines, 1) if line}
    if "word" in way.columns:
        report = read_report(path, list(way.columns), chosen=way.columns, encoding=way.encoding or None)
        return sentences_of(area_words(report))
    return {key: Sentence(key, row.pop("text"), extra=row) for key, row in _rows(path, way)}


def _rows(path: Path, way: Texts) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the name of each text and what its row says, by meaning."""
    table = read_delimited(path, way.encoding or None)
    cells = dict(zip(way.columns, table.need(*way.columns.values()), strict=True))
    for values in zip(*cells.values(), strict=True):
        row = dict(zip(cells, values, strict=True))
        yield row.pop("sentence_id"), row


def _texts_of_labels(
    reports: Iterable[FixationReport], base: int, known: Mapping[str, str], root: Path
) -> dict[str, Sentence]:
    """Return the texts made of the words that fixations carry: at each place the most frequent one."""
    labels: dict[str, dict[int, Counter[str]]] = {}
    for report in reports:
        index = report.numbers("word_index", whole_number, "the number of a word, or '.' for none")
        sentences, words = report["sentence_id"], report["word"]
        rows = zip(sentences.codes.tolist(), index.tolist(), words.codes.tolist(), strict=True)
        for (text, at, label), count in Counter(rows).items():
            word = clean_label(words.texts[label])
            if at == at and word not in _NO_LABEL:
                place = labels.setdefault(sentences.texts[text], {})
                place.setdefault(int(at) - base, Counter())[word] += count
    found = {key: Sentence(key, text) for key, text in known.items()}
    for key, places in labels.items():
        if key in found:
            continue
        for n in range(max(places) + 1):
            if n not in places:
                lack = Fact(f"no fixation on word {n + base} of text {key!r}")
                raise DataError(root, None, None, lack, "all files of the corpus, or a table of the texts")
        words_of = [min(places[n].items(), key=lambda item: (-item[1], item[0]))[0] for n in sorted(places)]
        found[key] = Sentence(key, " ".join(words_of))
    return found


def _corrected(sentence: Sentence, declaration: Declaration) -> Sentence:
    """Return a sentence with its right text and its item."""
    item = re.fullmatch(declaration.item_id, sentence.sentence_id) if declaration.item_id else None
    extra = dict(sentence.extra)
    return replace(
        sentence,
        text=declaration.corrections.get(sentence.sentence_id, sentence.text),
        item_id=item[1] if item else extra.pop("item_id", ""),
        extra=extra,
    )


def _described(texts: dict[str, Sentence], declaration: Declaration, root: Path) -> dict[str, Sentence]:
    """Return the texts with what the table of items says of them."""
    if declaration.items is None:
        return texts
    (path, *_) = _found(root, declaration.items.files)
    rows = dict(_rows(path, declaration.items))
    return {
        key: replace(text, item_id=rows[key].pop("item_id", ""), extra=rows[key]) if key in rows else text
        for key, text in texts.items()
    }


def _on_words(
    report: FixationReport, texts: Mapping[str, Sentence], said: Fixations, dropped: Counter[str]
) -> FixationReport:
    """Return the fixations with words for areas; what lies on no area of the text can be left out."""
    import numpy as np

    if not (said.characters or said.drop_outside):
        return report
    names = report["sentence_id"]
    known = [texts[name].words if name in texts else () for name in names.texts]
    index = report.numbers("word_index", whole_number, "the number of an area, or '.' for none")
    if said.characters:
        ends = [np.cumsum([len(word) for word in words]) for words in known]
        cells = [
            "." if at != at else str(int(np.searchsorted(ends[text], at)) + (said.index_base or 0))
            for at, text in zip(index.tolist(), names.codes.tolist(), strict=True)
        ]
        column = ReportColumn.of(report["word_index"].name, cells)
        report = replace(report, columns=report.columns | {"word_index": column})
        index = report.numbers("word_index", whole_number, "a word")
    if said.drop_outside:
        place = index - (said.index_base or 0)
        length = np.array([len(words) if words else np.inf for words in known])[names.codes]
        outside = (place < 0) | (place >= length)
        dropped[OUTSIDE] += int(outside.sum())
        report = report.only(~outside)
    return report

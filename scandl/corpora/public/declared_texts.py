"""The texts of public corpora: from tables of texts or words, one a line, or from the labels of fixations."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from scandl.corpora.corpus import Pair
from scandl.corpora.importers.delimited import MISSING
from scandl.corpora.importers.fixation_report import FixationReport, whole_number, with_plain_ids
from scandl.corpora.importers.texts import area_rows, clean_label, numbered
from scandl.corpora.public.declaration import Declaration, Texts
from scandl.corpora.public.declared_tables import found_files, read_declared
from scandl.errors import DataError, Fact
from scandl.records import Sentence

_NO_LABEL = frozenset({"", ".", "n/a"})
"""Labels that are no word; NA and None are words."""


@dataclass(slots=True)
class TextsRead:
    """The texts of a corpus, and what their tables say beside them."""

    sentences: dict[str, Sentence] = field(default_factory=dict)
    words: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)  # column -> text -> values
    first: dict[str, int] = field(default_factory=dict)  # what the first word of a text is called
    broken: set[Pair] = field(default_factory=set)  # trials whose areas are not one per word

    def add(self, path: Path, key: str, text: str, extra: Mapping[str, str] | None = None) -> None:
        """Add a text; one that was there must be the same."""
        if self.sentences.setdefault(key, Sentence(key, text, extra=dict(extra or {}))).text != text:
            found = Fact(f"other words of text {key!r} than in a file before")
            raise DataError(path, None, None, found, "the same words in every file")


def read_texts(declaration: Declaration, root: Path, reports: Sequence[FixationReport]) -> TextsRead:
    """Return the texts by the first declared way whose files are there."""
    for way in declaration.texts:
        paths = sorted(root.rglob(way.files)) if way.files else []
        if paths:
            found = TextsRead()
            for path in paths:
                _add_table(found, path, way, declaration)
        elif not way.files:
            found = TextsRead(_texts_of_labels(reports, declaration, root))
        if paths or not way.files:
            return replace(found, sentences=_completed(found.sentences, declaration, root))
    expected = " or ".join(way.files for way in declaration.texts)
    raise DataError(root, None, None, Fact("no table of the texts"), expected)


def completed(texts: Mapping[str, str], declaration: Declaration, root: Path) -> TextsRead:
    """Return texts that came with the fixations, with what is declared of them."""
    sentences = {key: Sentence(key, text) for key, text in texts.items()}
    return TextsRead(_completed(sentences, declaration, root))


def _add_table(found: TextsRead, path: Path, way: Texts, declaration: Declaration) -> None:
    """Add the texts in a table of words, a table of texts, or one in each line."""
    if way.lines:
        for n, line in enumerate(path.read_text(encoding=way.encoding or "utf-8").splitlines(), start=1):
            if line:
                found.add(path, str(n), " ".join(line.split()))
        return
    columns = dict(way.columns) | {f"of words {name}": column for name, column in way.words.items()}
    report = read_declared(
        path,
        columns,
        encoding=way.encoding,
        file_name=declaration.fixations.file_name,
        keep=declaration.keep,
    )
    report = with_plain_ids(report)
    if "word" not in way.columns:
        _add_rows(found, report)
    elif "text" in way.columns:
        _add_trials(found, report, declaration.strays)
    else:
        _add_words(found, report, way)


def _add_rows(found: TextsRead, report: FixationReport) -> None:
    """Add a table with one row per text; what else is declared of it is kept."""
    for row in range(len(report)):
        cells = {meaning: report.cell(row, meaning) for meaning in report.columns if meaning[:5] != "keep "}
        found.add(report.path, cells.pop("sentence_id"), cells.pop("text"), cells)


def _add_words(found: TextsRead, report: FixationReport, way: Texts) -> None:
    """Add a table with one row per word, numbered or in order."""
    report = numbered(report)
    numbers = report.numbers("word_index", whole_number, "the number of a word")
    for key, rows in area_rows(report).items():
        words = [clean_label(report.cell(row, "word")) for row in rows.tolist()]
        found.add(report.path, key, " ".join(words))
        found.first[key] = int(numbers[rows[0]])
        for name in way.words:
            values = tuple(report.cell(row, f"of words {name}") for row in rows.tolist())
            found.words.setdefault(name, {})[key] = values


def _add_trials(found: TextsRead, report: FixationReport, strays: Mapping[str, str]) -> None:
    """Add texts that stand beside each area of each trial; a trial has one area per word, or is broken."""
    key, text, reader = report["sentence_id"], report["text"], report["reader_id"]
    has_text = np.array([value.strip() not in MISSING for value in text.texts], dtype=bool)[text.codes]
    rows = np.flatnonzero(has_text)
    trials = np.stack([reader.codes[rows], key.codes[rows]])
    pairs, first, n_areas = np.unique(trials, axis=1, return_index=True, return_counts=True)
    given: dict[str, str] = {}
    for n in np.argsort(first).tolist():
        row = int(rows[first[n]])
        name, raw = report.cell(row, "sentence_id"), report.cell(row, "text")
        if given.setdefault(name, raw) != raw:
            other = Fact(f"another text of sentence {name!r} than another reader has")
            raise report.error(row, "text", other, "one text per sentence")
        found.add(report.path, name, " ".join(re.sub(strays.get(name, "(?!)"), "", raw).split()))
        if found.sentences[name].n_words != n_areas[n]:
            found.broken.add((reader.texts[pairs[0, n]], name))


def _texts_of_labels(
    reports: Iterable[FixationReport], declaration: Declaration, root: Path
) -> dict[str, Sentence]:
    """Return the texts made of the words that fixations carry: at each place the most frequent one."""
    base = declaration.fixations.index_base or 0
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
    found = {key: Sentence(key, text) for key, text in declaration.corrections.items()}
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


def _completed(texts: Mapping[str, Sentence], declaration: Declaration, root: Path) -> dict[str, Sentence]:
    """Return the texts as they were shown, with their items and what the table of items says."""
    items = TextsRead()
    if declaration.items is not None:
        (path, *_) = found_files(root, declaration.items.files)
        report = read_declared(path, declaration.items.columns, encoding=declaration.items.encoding)
        for row in range(len(report)):
            cells = {meaning: report.cell(row, meaning) for meaning in report.columns}
            items.add(path, cells.pop("sentence_id"), "", cells)
    return {key: _one_completed(text, declaration, items.sentences.get(key)) for key, text in texts.items()}


def _one_completed(text: Sentence, declaration: Declaration, item: Sentence | None) -> Sentence:
    name = text.sentence_id
    marks = {
        column: str(int(bool(re.fullmatch(expression, name))))
        for column, expression in declaration.marks.items()
    }
    extra = {**text.extra, **(item.extra if item else {}), **marks}
    known = re.fullmatch(declaration.item_id, name) if declaration.item_id else None
    item_id = known[1] if known else extra.pop("item_id", "")
    return replace(text, text=declaration.corrections.get(name, text.text), item_id=item_id, extra=extra)

"""The texts that were read: from tables of texts, or of words with one row per area."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from scandl.corpora.importers.column_meanings import KEY_OF_TEXTS, ColumnsError, joined_cell, parts_of
from scandl.corpora.importers.delimited import read_delimited
from scandl.corpora.importers.fixation_report import FixationReport, ReportColumn, read_report, whole_number
from scandl.errors import DataError, Fact
from scandl.files.column_names import candidate_columns
from scandl.files.tables import TextTable
from scandl.records import Sentence

if TYPE_CHECKING:
    from scandl.corpora.importers.fixation_report import Ints


@dataclass(frozen=True, slots=True)
class ListedTexts:
    """The texts of a table, and what it says of their words: column -> text -> values."""

    sentences: dict[str, Sentence]
    words: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)


def read_listed(
    path: Path | str, chosen: Mapping[str, str] | None = None, encoding: str | None = None
) -> ListedTexts:
    """Read a table of texts, or one of words in order or numbered; unknown columns are kept."""
    try:
        return ListedTexts(read_sentences(path, chosen, encoding))
    except ColumnsError as error:
        free = [name for name in error.header if name not in (chosen or {}).values()]
        said = (chosen or {}).get("sentences.word", "")
        if "text" not in error.missing or not (said or candidate_columns(free, "word")):
            raise
    return _read_words(Path(path), chosen or {}, encoding)


def _read_words(path: Path, chosen: Mapping[str, str], encoding: str | None) -> ListedTexts:
    header = list(read_delimited(path, encoding).columns)
    meanings = ("sentence_id", "word", "word_index")
    here = {m: chosen[m] for m in meanings if all(c in header for c in parts_of(chosen.get(m, ""), header))}
    here |= {m: chosen[f"sentences.{m}"] for m in meanings if f"sentences.{m}" in chosen}
    report = read_report(path, meanings[:2], meanings[2:], chosen=here, encoding=encoding)
    report = numbered(report)
    used = {part for c in report.columns.values() for part in parts_of(c.name, header)}
    table = read_delimited(path, encoding)
    sentences, words = sentences_of(area_words(report)), {}
    for name in (name for name in header if name and name not in used):
        cells = table.columns[name]
        words[name] = {key: tuple(cells[row] for row in rows) for key, rows in area_rows(report).items()}
    return ListedTexts(sentences, words)


def numbered(report: FixationReport) -> FixationReport:
    """Return a table of words with the number of each in its text, from 1, where it has none."""
    if "word_index" in report:
        return report
    seen: Counter[tuple[int, ...]] = Counter()
    cells = []
    trials = [report[name].codes.tolist() for name in ("sentence_id", "reader_id") if name in report]
    for trial in zip(*trials, strict=True):
        seen[trial] += 1
        cells.append(str(seen[trial]))
    return replace(report, columns=report.columns | {"word_index": ReportColumn.of("row", cells)})


def _telling_apart(table: TextTable, ids: Sequence[str], others: Sequence[str]) -> str:
    """Return the column that, joined to the identifiers, makes each one unique."""
    for name in others:
        if len(set(zip(ids, table.columns[name], strict=True))) == len(table):
            return name
    return "CONDITION"


def read_sentences(
    path: Path | str, chosen: Mapping[str, str] | None = None, encoding: str | None = None
) -> dict[str, Sentence]:
    """Read the sentences of a table; unknown columns are kept.

    ``chosen`` is what the user said of the columns of the fixations too: it holds here where the table
    has the column.
    """
    source = Path(path)
    table = read_delimited(source, encoding)
    key, text, item = _columns(table, chosen or {})
    ids = [joined_cell(cells) for cells in zip(*table.need(*parts_of(key, list(table.columns))), strict=True)]
    extra = [name for name in table.columns if name not in (key, text, "item_id")]
    items = table.columns.get(item, [""] * len(table))
    sentences: dict[str, Sentence] = {}
    for i, (name, words) in enumerate(zip(ids, table.columns[text], strict=True)):
        if not name or name in sentences:
            found = Fact(f"{name!r} a second time" if name else "nothing")
            expected = "each sentence once, with an id"
            if key == item or candidate_columns([key], "item_id"):
                other = _telling_apart(table, ids, extra)
                expected += f" (versions of one item: --column sentence_id={key}+{other})"
            raise DataError(source, table.line(i), key, found, expected)
        if not words.split():
            raise DataError(source, table.line(i), text, words, "a sentence of at least one word")
        sentences[name] = Sentence(
            name, words, items[i], {column: table.columns[column][i] for column in extra}
        )
    return sentences


def _columns(table: TextTable, chosen: Mapping[str, str]) -> tuple[str, str, str]:
    """Return the columns of the identifier, the text and the item (empty: none)."""
    header = list(table.columns)
    found: dict[str, str] = {}
    missing, doubtful = [], {}
    own = {KEY_OF_TEXTS: "sentence_id", "text": "text"}  # said of this table alone
    for meaning, name in chosen.items():
        if meaning in own and not all(part in header for part in parts_of(name, header)):
            raise DataError(table.path, 1, name, Fact(f"only the columns {', '.join(header)}"), own[meaning])
    chosen = {**chosen, **{own[meaning]: name for meaning, name in chosen.items() if meaning in own}}
    for meaning in ("sentence_id", "text", "item_id"):
        said = chosen.get(meaning, "")
        if said and all(part in header for part in parts_of(said, header)):
            found[meaning] = said
            continue
        names = candidate_columns([name for name in header if name not in found.values()], meaning)
        if len(names) == 1:
            found[meaning] = names[0]
        elif names:
            doubtful[meaning] = names
        elif meaning != "item_id":
            missing.append(meaning)
    if missing or doubtful:
        raise ColumnsError(table.path, header, missing, doubtful)
    return found["sentence_id"], found["text"], found.get("item_id", "")


def sentences_of(words: Mapping[str, tuple[str, ...]]) -> dict[str, Sentence]:
    """Return sentences whose text is their words with single spaces between them."""
    return {key: Sentence(key, " ".join(sequence)) for key, sequence in words.items()}


_NAME_THE_TEXT = (
    " (a trial number is not a sentence_id: name the column that identifies the text, "
    "--column sentence_id=NAME)"
)


def area_words(report: FixationReport) -> dict[str, tuple[str, ...]]:
    """Return the words of each sentence in the order of their interest areas.

    The report has the meanings sentence_id, word_index and word, and reader_id unless it lists
    each text once. Areas must be numbered without gap, from whatever base; every reader of a
    text must have the same words.
    """
    column = report["word"]
    return {
        key: tuple(clean_label(column.texts[code]) for code in column.codes[rows].tolist())
        for key, rows in area_rows(report).items()
    }


def area_rows(report: FixationReport) -> dict[str, Ints]:
    """Return the rows of the areas of each sentence, in their order; of several readers, of one."""
    rows, sentences, starts = _trials(report)
    codes = _labels(report)[report["word"].codes]
    found: dict[int, Ints] = {}
    for start, stop in pairwise([*starts, len(rows)]):
        known = found.setdefault(int(sentences[start]), rows[start:stop])
        _same_words(report, codes[known], codes[rows[start:stop]], rows[start:stop])
    return {report["sentence_id"].texts[key]: found[key] for key in sorted(found)}


def clean_label(text: str) -> str:
    r"""Return the word of a label: what stands before an embedded tab.

    >>> clean_label("dog.\t3")
    'dog.'
    """
    return text.split("\t")[0].strip()


def _trials(report: FixationReport) -> tuple[Ints, Ints, list[int]]:
    """Return the rows sorted by trial and area, the sentence of each, and where trials start."""
    import numpy as np

    index = report.numbers("word_index", whole_number, "the number of an interest area")
    rows = np.flatnonzero(~np.isnan(index))
    sentences = report["sentence_id"].codes[rows]
    trials = sentences
    if "reader_id" in report:
        trials = report["reader_id"].codes[rows] * len(report["sentence_id"].texts) + sentences
    order = np.lexsort((index[rows], trials))
    rows, trials, sentences = rows[order], trials[order], sentences[order]
    new = np.diff(trials) != 0
    gaps = np.flatnonzero(~new & (np.diff(index[rows]) != 1))
    if len(gaps):
        before, row = int(index[rows[gaps[0]]]), int(rows[gaps[0] + 1])
        found = Fact(f"area {int(index[row])} after area {before} of the trial")
        raise report.error(row, "word_index", found, "consecutive numbers, each once per reader and text")
    return rows, sentences, [0, *(np.flatnonzero(new) + 1).tolist()] if len(rows) else []


def _labels(report: FixationReport) -> Ints:
    """Return for each distinct label the code of the first that means the same word."""
    import numpy as np

    column = report["word"]
    first: dict[str, int] = {}
    for code, text in enumerate(column.texts):
        word = clean_label(text)
        if len(word.split()) != 1:
            row = int(np.flatnonzero(column.codes == code)[0])
            raise report.error(row, "word", text, "an interest area of one word, without spaces")
        first.setdefault(word, code)
    return np.array([first[clean_label(text)] for text in column.texts], dtype=np.int64)


def _same_words(report: FixationReport, known: Ints, words: Ints, rows: Ints) -> None:
    if len(known) == len(words) and bool((known == words).all()):
        return
    n = next((n for n, (a, b) in enumerate(zip(known, words, strict=False)) if a != b), len(known) - 1)
    row = int(rows[min(n, len(rows) - 1)])
    name = report.cell(row, "sentence_id")
    found = Fact(f"other words for sentence {name!r} than another reader has")
    raise report.error(row, "word", found, "the same words for every reader" + report.advice(_NAME_THE_TEXT))

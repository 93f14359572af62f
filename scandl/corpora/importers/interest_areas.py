"""Interest-area reports: the words of each text, once, however many readers the report lists."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from scandl.corpora.importers.fixation_report import FixationReport, whole_number
from scandl.errors import Fact

if TYPE_CHECKING:
    import numpy as np

    from scandl.corpora.importers.fixation_report import Ints

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
    rows, sentences, starts = _trials(report)
    labels = _labels(report)
    codes = labels[report["word"].codes[rows]]
    found: dict[int, np.ndarray[tuple[int], np.dtype[np.int64]]] = {}
    for start, stop in pairwise([*starts, len(rows)]):
        words = codes[start:stop]
        known = found.setdefault(int(sentences[start]), words)
        if known is not words:
            _same_words(report, known, words, rows[start:stop])
    names, texts = report["sentence_id"].texts, report["word"].texts
    return {names[key]: tuple(clean_label(texts[code]) for code in found[key]) for key in sorted(found)}


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

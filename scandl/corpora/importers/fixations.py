"""From the rows of a fixation report to scanpaths: base, range, order, and what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from scandl.corpora.importers.delimited import MISSING
from scandl.corpora.importers.fixation_report import FixationReport, finite, whole_number
from scandl.corpora.importers.texts import clean_label
from scandl.errors import Fact, ScandlError
from scandl.files.cell_values import EXPECTED, is_duration, parse_number
from scandl.records import Scanpath, Sentence

if TYPE_CHECKING:
    from scandl.corpora.importers.fixation_report import Floats, Ints

NO_WORD = "fixations outside every word"
NO_SENTENCE = "fixations in texts without words"
NO_FIXATION = "trials without a fixation on a word"
NO_DURATION = "durations of trials in which another fixation has none"
NEEDED = ("reader_id", "sentence_id", "word_index")
OPTIONAL = ("fixation_index", "duration_ms", "word")


@dataclass(frozen=True, slots=True)
class Gathered:
    """The scanpaths of a report, what was left out by reason, and how the base was found."""

    scanpaths: list[Scanpath]
    dropped: Counter[str]
    note: str


@dataclass(frozen=True, slots=True)
class _Texts:
    """The words of all sentences end to end; ``start`` and ``length`` by the report's sentence code."""

    words: list[str]
    start: Ints
    length: Ints  # -1 = the sentence is unknown


def gather(
    report: FixationReport,
    sentences: Mapping[str, Sentence],
    *,
    index_base: int | None = None,
    drop_unknown: bool = False,
) -> Gathered:
    """Return the scanpaths in the report.

    Parameters
    ----------
    report
        Meanings reader_id, sentence_id, word_index; fixation_index, duration_ms and word (the
        label) if it has them. Without a fixation_index the order of the rows is the order in time.
    sentences
        The texts that were read.
    index_base
        What the first word of a sentence is called, 0 or 1. None: found by comparing the labels
        with the words; a report without labels is an error, because a guess could be wrong
        without anyone noticing.
    drop_unknown
        Leave out and count fixations in sentences that are not among ``sentences``, instead of
        raising.
    """
    import numpy as np

    report.identifiers("reader_id", "sentence_id")
    known = _texts(report, sentences).length[report["sentence_id"].codes] >= 0
    if not known.all() and not drop_unknown:
        row = int(np.flatnonzero(~known)[0])
        found = report.cell(row, "sentence_id")
        raise report.error(row, "sentence_id", found, "a sentence whose words are known")
    of_known = report.only(known)
    index = of_known.numbers("word_index", whole_number, "the number of a word, or '.' for none")
    on_word = ~np.isnan(index)
    kept = of_known.only(on_word)
    texts = _texts(kept, sentences)
    base, note = _base(kept, texts, index[on_word], index_base) if len(kept) else (0, "")
    positions = index[on_word].astype(np.int64) - base
    _check_range(kept, positions, texts, base)
    paths, lost = _scanpaths(kept, positions)
    dropped = Counter(
        {
            NO_SENTENCE: int((~known).sum()),
            NO_WORD: int((~on_word).sum()),
            NO_FIXATION: len(np.unique(_trial_codes(of_known))) - len(paths),
            NO_DURATION: lost,
        }
    )
    return Gathered(paths, +dropped, note)


def _texts(report: FixationReport, sentences: Mapping[str, Sentence]) -> _Texts:
    import numpy as np

    words: list[str] = []
    names = report["sentence_id"].texts
    start = np.zeros(len(names), dtype=np.int64)
    length = np.full(len(names), -1, dtype=np.int64)
    for code, name in enumerate(names):
        if name in sentences:
            start[code], length[code] = len(words), sentences[name].n_words
            words += sentences[name].words
    return _Texts(words, start, length)


def _base(report: FixationReport, texts: _Texts, index: Floats, given: int | None) -> tuple[int, str]:
    """Return the base and how it is known."""
    agreement = _agreement(report, texts, index)
    if agreement is None:
        if given is None:
            raise ScandlError(
                f"{report.path}: column {report['word_index'].name!r}: found word numbers and no labels to "
                "compare with the words, expected --index-base 0 or 1 (what the first word is called)"
            )
        return given, f"word numbers of the source count from {given}, as the user said"
    clear = [base for base in (0, 1) if agreement[base] >= 0.9 and agreement[1 - base] < 0.5]
    shares = f"labels agree for {agreement[0]:.1%} when counted from 0, {agreement[1]:.1%} from 1"
    if given is not None and clear and clear[0] != given:
        raise ScandlError(f"{report.path}: --index-base {given} contradicts the labels: {shares}")
    if given is None and not clear:
        raise ScandlError(f"{report.path}: {shares}; expected one of them near 100 %, or --index-base 0 or 1")
    base = clear[0] if given is None else given
    return base, f"word numbers of the source count from {base} (labels agree for {agreement[base]:.1%})"


def _agreement(report: FixationReport, texts: _Texts, index: Floats) -> tuple[float, float] | None:
    """Return the share of labels that are the word at their number, counted from 0 and from 1."""
    import numpy as np

    if "word" not in report:
        return None
    vocabulary: dict[str, int] = {}
    words = np.array([vocabulary.setdefault(letters(w), len(vocabulary)) for w in texts.words], dtype=int)
    labels = np.array(
        [
            -2 if text.strip() in MISSING else vocabulary.get(letters(text), -1)
            for text in report["word"].texts
        ],
        dtype=int,
    )
    label = labels[report["word"].codes] if len(labels) else np.zeros(0, dtype=int)
    rows = np.flatnonzero(label != -2)
    if not len(rows):
        return None
    sentence = report["sentence_id"].codes[rows]
    shares = []
    for base in (0, 1):
        position = index[rows].astype(np.int64) - base
        inside = (position >= 0) & (position < texts.length[sentence])
        word = words[np.where(inside, texts.start[sentence] + position, 0)]
        shares.append(float((inside & (word == label[rows])).mean()))
    return shares[0], shares[1]


def letters(word: str) -> str:
    """Return what two spellings of one word share: reports differ in case and punctuation."""
    label = clean_label(word)
    return "".join(c for c in label.casefold() if c.isalnum()) or label


def _check_range(report: FixationReport, positions: Ints, texts: _Texts, base: int) -> None:
    import numpy as np

    length = texts.length[report["sentence_id"].codes]
    outside = np.flatnonzero((positions < 0) | (positions >= length))
    if len(outside):
        row = int(outside[0])
        raise report.error(
            row,
            "word_index",
            report.cell(row, "word_index"),
            f"{base}..{length[row] - 1 + base}, a word of sentence {report.cell(row, 'sentence_id')!r} "
            f"counted from {base}",
        )


def _trial_codes(report: FixationReport) -> Ints:
    return report["reader_id"].codes * len(report["sentence_id"].texts) + report["sentence_id"].codes


def _scanpaths(report: FixationReport, positions: Ints) -> tuple[list[Scanpath], int]:
    """Gather the rows of each trial in order of time; trials in the order of their first row.

    A scanpath has durations if each fixation has one; how many are lost that way is returned too.
    """
    import numpy as np

    if not len(report):
        return [], 0
    _, first, trial = np.unique(_trial_codes(report), return_index=True, return_inverse=True)
    trial = first[trial]  # a trial is called by its first row, which sorts trials as the file does
    order = _in_time(report, trial)
    starts = [0, *(np.flatnonzero(np.diff(trial[order])) + 1).tolist()]
    words = positions[order].tolist()
    durations = _durations(report)[order]
    known, ms = ~np.isnan(durations), durations.tolist()
    paths = [
        Scanpath(
            report.cell(order[start], "reader_id"),
            report.cell(order[start], "sentence_id"),
            tuple(words[start:stop]),
            tuple(ms[start:stop]) if known[start:stop].all() else None,
        )
        for start, stop in pairwise([*starts, len(words)])
    ]
    kept = sum(path.n_fixations for path in paths if path.durations is not None)
    return paths, int(known.sum()) - kept


def _in_time(report: FixationReport, trial: Ints) -> Ints:
    """Return the rows by trial and, within it, by time; what cannot be ordered is an error."""
    import numpy as np

    if "fixation_index" not in report:
        seen, places = np.unique(trial[np.flatnonzero(np.diff(trial, prepend=-1))], return_counts=True)
        if len(seen[places > 1]):
            row = int(seen[places > 1][0])
            found = Fact(f"rows of reader {report.cell(row, 'reader_id')!r} on this sentence in two places")
            expected = "them together, or a column that orders them"
            advice = report.advice(" (--column fixation_index=NAME)")
            raise report.error(row, "sentence_id", found, expected + advice)
        return np.argsort(trial, kind="stable")
    time = report.numbers("fixation_index", finite, "a number that orders the fixations", frozenset())
    order = np.lexsort((time, trial))
    same = np.flatnonzero((np.diff(trial[order]) == 0) & ~(np.diff(time[order]) > 0))
    if len(same):
        row = int(order[same[0] + 1])
        raise report.error(
            row,
            "fixation_index",
            Fact(f"{report.cell(row, 'fixation_index')} twice in one trial"),
            "each number once per reader and sentence (one eye, one reading)",
        )
    return order


def _durations(report: FixationReport) -> Floats:
    import numpy as np

    if "duration_ms" not in report:
        return np.full(len(report), np.nan)
    return report.numbers("duration_ms", _milliseconds, EXPECTED)


def _milliseconds(text: str) -> float:
    value = parse_number(text)
    if not is_duration(value):
        raise ValueError(text)
    return value

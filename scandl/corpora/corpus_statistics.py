"""The numbers that describe a corpus: how long, how often, how many skips and regressions."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scandl.records import visits

if TYPE_CHECKING:
    from scandl.corpora.corpus import Corpus
    from scandl.records import Scanpath


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """Counts, and rates over all words, or over all transitions, that were read.

    They are what ``scandl-analysis measures`` gives for its two variants.
    """

    readers: int
    sentences: int
    scanpaths: int
    fixations: int
    words_mean: float
    words_sd: float
    words_min: int
    words_max: int
    fixations_per_path: float
    fixations_per_word: float
    never_fixated: float  # share of words without any fixation
    skipping_rate: float  # share of words skipped in first pass
    regression_rate: float  # share of words whose first visit is left for a word to the left
    regressions_out: float  # the same among first-pass-fixated words
    regressive_saccades: float  # share of transitions that go left
    refixations: float  # share of transitions that stay on the word
    duration_mean: float | None
    duration_median: float | None


def corpus_statistics(corpus: Corpus) -> Statistics:
    """Compute the statistics of a corpus that has at least one scanpath."""
    n_words = {key: sentence.n_words for key, sentence in corpus.sentences.items()}
    lengths = list(n_words.values())
    counts = [_path_counts(path, n_words[path.sentence_id]) for path in corpus.scanpaths]
    durations = [ms for path in corpus.scanpaths for ms in path.durations or ()]
    sums = {
        name: [sum(column) for column in zip(*pairs, strict=True)]
        for name, pairs in zip(_RATES, zip(*counts, strict=True), strict=True)
    }
    return Statistics(
        readers=len(corpus.reader_ids),
        sentences=len(corpus.sentences),
        scanpaths=len(corpus.scanpaths),
        fixations=sum(path.n_fixations for path in corpus.scanpaths),
        words_mean=statistics.fmean(lengths),
        words_sd=statistics.stdev(lengths) if len(lengths) > 1 else 0.0,
        words_min=min(lengths),
        words_max=max(lengths),
        **{name: top / bottom if bottom else 0.0 for name, (top, bottom) in sums.items()},
        duration_mean=statistics.fmean(durations) if durations else None,
        duration_median=statistics.median(durations) if durations else None,
    )


def statistics_lines(corpus: Corpus) -> list[str]:
    """Return the table that ``scandl corpus check`` prints."""
    return [f"{name:<28}{value}" for name, value in statistics_rows(corpus)]


def statistics_rows(corpus: Corpus) -> list[tuple[str, str]]:
    """Return names and values of the statistics, as they are shown."""
    s = corpus_statistics(corpus)
    readers = "simulated readers" if corpus.card.kind == "simulated" else "readers"
    words = f"{s.words_mean:.1f} ± {s.words_sd:.1f} ({s.words_min}–{s.words_max})"
    rows: list[tuple[str, str]] = [
        (readers, f"{s.readers:,}"),
        ("sentences", f"{s.sentences:,}"),
        ("scanpaths", f"{s.scanpaths:,}"),
        ("fixations", f"{s.fixations:,}"),
        ("words per sentence", words),
        ("fixations per scanpath", f"{s.fixations_per_path:.1f}"),
        ("fixations per word", f"{s.fixations_per_word:.3f}"),
        ("words never fixated", f"{s.never_fixated:.3f}"),
        ("first-pass skipping rate", f"{s.skipping_rate:.3f}"),
        ("first-visit regression rate", f"{s.regression_rate:.3f}"),
        ("first-pass regressions out", f"{s.regressions_out:.3f}"),
        ("regressive saccades", f"{s.regressive_saccades:.3f}"),
        ("refixations", f"{s.refixations:.3f}"),
    ]
    if s.duration_mean is not None and s.duration_median is not None:
        rows.append(("fixation duration, ms", f"{s.duration_mean:.0f} (median {s.duration_median:.0f})"))
    return rows


_RATES = (
    "fixations_per_path",
    "fixations_per_word",
    "never_fixated",
    "skipping_rate",
    "regression_rate",
    "regressions_out",
    "regressive_saccades",
    "refixations",
)


def _path_counts(path: Scanpath, n_words: int) -> tuple[tuple[int, int], ...]:
    """Return, for each of ``_RATES``, what of one scanpath is counted and of how many."""
    words = visits(path.positions, n_words)
    steps = [after - before for before, after in zip(path.positions, path.positions[1:], strict=False)]
    left = [n for n, visit in enumerate(words) if visit.next_word is not None and visit.next_word < n]
    return (
        (path.n_fixations, 1),
        (path.n_fixations, n_words),
        (sum(visit.n_fixations == 0 for visit in words), n_words),
        (sum(visit.skipped for visit in words), n_words),
        (len(left), n_words),
        (sum(words[n].first_pass for n in left), sum(visit.first_pass for visit in words)),
        (sum(step < 0 for step in steps), len(steps)),
        (sum(step == 0 for step in steps), len(steps)),
    )

"""The last step of every importer: filter, keep what was read, and write down what was left out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from scandl.corpora.corpus import Card, Corpus
from scandl.corpora.importers.fixations import Gathered
from scandl.errors import ScandlError
from scandl.records import Scanpath, Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Rules applied in this order; the default keeps everything."""

    min_duration: float = 0.0  # ms; shorter fixations are deleted
    hand_over: bool = False  # a deleted inner fixation gives its time to a neighbour on the same word
    max_fixations: int | None = None  # longer trials are left out
    drop_barely_read: bool = False  # leave out trials of one fixation on more than ten words

    def __post_init__(self) -> None:
        if not (math.isfinite(self.min_duration) and self.min_duration >= 0):
            raise ScandlError(f"--min-duration {self.min_duration:g}: expected milliseconds from 0")
        if self.max_fixations is not None and self.max_fixations < 1:
            raise ScandlError(f"--max-fixations {self.max_fixations}: expected a number from 1")


NOBODY = "sentences that nobody read"


def assemble(
    card: Card,
    sentences: Mapping[str, Sentence],
    gathered: Gathered,
    filters: Filters | None = None,
    *,
    readers: Mapping[str, Mapping[str, str]] | None = None,
    words: Mapping[str, Mapping[str, tuple[str, ...]]] | None = None,
) -> Corpus:
    """Return the corpus of what passes ``filters``; its card counts what did not."""
    paths, filtered = apply_filters(filters or Filters(), gathered.scanpaths, sentences)
    dropped = gathered.dropped + filtered
    if not paths:
        reasons = ", ".join(f"{count} {reason}" for reason, count in dropped.items()) or "no rows"
        raise ScandlError(f"corpus {card.name!r}: nothing is left to import ({reasons})")
    read = {path.sentence_id for path in paths}
    who = {path.reader_id for path in paths}
    dropped += Counter({NOBODY: len(sentences.keys() - read)})
    notes = "; ".join(note for note in (card.notes, gathered.note) if note)
    return Corpus(
        replace(card, notes=notes, dropped=dict(+dropped)),
        {key: sentence for key, sentence in sentences.items() if key in read},
        tuple(paths),
        {
            column: {key: values for key, values in by_text.items() if key in read}
            for column, by_text in (words or {}).items()
        },
        readers={key: values for key, values in (readers or {}).items() if key in who},
    )


def apply_filters(
    filters: Filters, scanpaths: Iterable[Scanpath], sentences: Mapping[str, Sentence]
) -> tuple[list[Scanpath], Counter[str]]:
    """Return the scanpaths that pass, and what was left out, by reason.

    Short fixations cannot be told where durations are missing: that is an error, not a path that passes.
    """
    kept: list[Scanpath] = []
    dropped: Counter[str] = Counter()
    for path in scanpaths:
        words = sentences[path.sentence_id].words
        passed = _without_short(path, words, filters)
        short = path.n_fixations - passed.n_fixations
        if short:
            dropped[f"fixations shorter than {filters.min_duration:g} ms"] += short
        if filters.max_fixations is not None and passed.n_fixations > filters.max_fixations:
            dropped[f"trials of more than {filters.max_fixations} fixations"] += 1
        elif filters.drop_barely_read and passed.n_fixations <= 1 and len(words) > 10:
            dropped["trials of at most one fixation on more than 10 words"] += 1
        elif not passed.positions:
            dropped["trials without a fixation that is long enough"] += 1
        else:
            kept.append(passed)
    return kept, dropped


def _without_short(path: Scanpath, words: Sequence[str], filters: Filters) -> Scanpath:
    if not filters.min_duration:
        return path
    if path.durations is None:
        raise ScandlError(
            f"deleting fixations below {filters.min_duration:g} ms needs the duration of each fixation: "
            f"reader {path.reader_id!r} lacks one on sentence {path.sentence_id!r}"
        )
    short = [ms < filters.min_duration for ms in path.durations]
    durations = list(path.durations)
    if filters.hand_over:
        durations = handed_over([words[word] for word in path.positions], durations, short)
    rows = [n for n, gone in enumerate(short) if not gone]
    return replace(
        path, positions=tuple(path.positions[n] for n in rows), durations=tuple(durations[n] for n in rows)
    )


def handed_over(labels: Sequence[str], durations: Sequence[float], short: Sequence[bool]) -> list[float]:
    """Return the durations after each short inner fixation gave its time to a neighbour.

    The left neighbour takes it if it has the same label, else the right one if that has.

    >>> handed_over(["a", "a", "b", "c"], [200, 30, 40, 90], [False, True, True, False])
    [230, 30, 40, 90]
    """
    result = list(durations)
    for n in range(1, len(labels) - 1):
        if short[n]:
            taker = next((m for m in (n - 1, n + 1) if labels[m] == labels[n]), None)
            if taker is not None:
                result[taker] += durations[n]
    return result

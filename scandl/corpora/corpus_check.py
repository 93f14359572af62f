"""The check of a corpus folder: every invariant, every fault, and the statistics if it has none."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from scandl.corpora.corpus import Corpus
from scandl.corpora.corpus_folder import find_corpus, read_corpus, unused_durations
from scandl.corpora.corpus_statistics import corpus_statistics
from scandl.errors import DataError, Fact, ScandlError
from scandl.files.cell_values import parse_number
from scandl.files.tables import Problems, find_table, read_table
from scandl.text.word_frequency import COLUMN, known_language

CLOZE = "cloze"
_WORD_CELLS: dict[str, tuple[Callable[[float], bool], str]] = {
    CLOZE: (lambda value: 0 <= value <= 1, "a probability from 0 to 1, or nothing where it is not known"),
    COLUMN: (lambda value: 0 < value < math.inf, "occurrences per million, above 0"),
}


@dataclass(frozen=True, slots=True)
class Check:
    """What a check found."""

    folder: Path
    corpus: Corpus
    problems: tuple[DataError, ...]
    remarks: tuple[str, ...]  # what breaks no rule, but a reader of results has to know

    def as_dict(self) -> dict[str, Any]:
        """Return the result for a JSON file."""
        card = self.corpus.card
        return {
            "schema": 1,
            "name": card.name,
            "kind": card.kind,
            "problems": [str(problem) for problem in self.problems],
            "remarks": list(self.remarks),
            "statistics": asdict(corpus_statistics(self.corpus)) if self.corpus.scanpaths else None,
            "dropped_at_import": dict(card.dropped),
        }


def check_corpus(name_or_folder: str | Path) -> Check:
    """Read a corpus by name or folder and return every fault it has."""
    folder = find_corpus(name_or_folder)
    problems = Problems()
    corpus = read_corpus(folder, problems)
    if not corpus.scanpaths and not problems.errors:
        problems.add(DataError(folder, None, None, Fact("no fixation"), "at least one scanpath"))
    for error in _word_faults(folder, corpus) if not problems.errors else ():
        problems.add(error)
    unknown = sorted(corpus.readers.keys() - set(corpus.reader_ids))
    if unknown and not problems.errors:
        found = Fact(f"readers without a fixation: {', '.join(unknown)}")
        problems.add(DataError(folder, None, "reader_id", found, "readers of fixations.csv in readers.csv"))
    remarks = () if problems.errors else tuple(_remarks(folder, corpus))
    return Check(folder, corpus, tuple(problems.errors), remarks)


def _word_faults(folder: Path, corpus: Corpus) -> Iterator[DataError]:
    """Yield the cells of word columns with a known meaning that models would refuse."""
    for column, (sound, expected) in _WORD_CELLS.items():
        if column not in corpus.words:
            continue
        table = read_table(find_table(folder, "words"))
        for i, cell in enumerate(table.columns[column]):
            try:
                known = sound(parse_number(cell)) if cell else column == CLOZE
            except ValueError:
                known = False
            if not known:
                yield DataError(table.path, table.line(i), column, cell, expected)


def _remarks(folder: Path, corpus: Corpus) -> Iterator[str]:
    n = unused_durations(folder)
    if n:
        yield f"{n:,} durations are not used: another fixation of their scanpath has none"
    if COLUMN not in corpus.words:
        try:
            known_language(corpus.card.language)
        except ScandlError as error:
            yield str(error)

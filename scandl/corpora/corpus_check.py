"""The check of a corpus folder, with every fault, and the list of installed corpora with their sizes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from scandl.corpora.corpus import Corpus, read_card
from scandl.corpora.corpus_folder import find_corpus, installed_corpora, read_corpus, unused_durations
from scandl.corpora.corpus_statistics import corpus_statistics
from scandl.corpora.importers.fixation_report import read_report
from scandl.errors import DataError, Fact, ScandlError
from scandl.files.cell_values import parse_number
from scandl.files.tables import Problems, find_table, read_table
from scandl.text.word_facts import COLUMN, known_language

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


@dataclass(frozen=True, slots=True)
class Entry:
    """One installed corpus; the sizes are None and ``problem`` says why when it cannot be read."""

    name: str  # what open_corpus takes
    folder: Path
    kind: str = ""
    readers: int | None = None
    sentences: int | None = None
    scanpaths: int | None = None
    problem: str = ""


def list_corpora() -> list[Entry]:
    """Return the installed corpora by name, with their sizes."""
    return [_entry(name, folder) for name, folder in sorted(installed_corpora().items())]


def _entry(name: str, folder: Path) -> Entry:
    """Return sizes without reading the corpus as a whole; a broken one is listed with its fault."""
    # Counting needs the columnar reader of the importers, which costs start-up time.

    try:
        card = read_card(folder / "corpus.toml")
        sentences = read_report(find_table(folder, "sentences"), ("sentence_id",))
        fixations = read_report(find_table(folder, "fixations"), ("reader_id", "sentence_id"))
    except ScandlError as error:
        return Entry(name, folder, problem=str(error))
    readers, read = fixations["reader_id"], fixations["sentence_id"]
    trials = set(zip(readers.codes.tolist(), read.codes.tolist(), strict=True))
    return Entry(name, folder, card.kind, len(readers.texts), len(sentences), len(trials))

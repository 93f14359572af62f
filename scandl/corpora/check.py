"""The check of a corpus folder: every invariant, every fault, and the statistics if it has none."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from scandl.corpora.base import Corpus
from scandl.corpora.catalogue import find_corpus
from scandl.corpora.folder import read_corpus
from scandl.corpora.statistics import corpus_statistics
from scandl.errors import DataError, Fact, Problems


@dataclass(frozen=True, slots=True)
class Check:
    """What a check found."""

    folder: Path
    corpus: Corpus
    problems: tuple[DataError, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the result for a JSON file."""
        card = self.corpus.card
        return {
            "schema": 1,
            "name": card.name,
            "kind": card.kind,
            "problems": [str(problem) for problem in self.problems],
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
    unknown = sorted(corpus.readers.keys() - set(corpus.reader_ids))
    if unknown and not problems.errors:
        found = Fact(f"readers without a fixation: {', '.join(unknown)}")
        problems.add(DataError(folder, None, "reader_id", found, "readers of fixations.csv in readers.csv"))
    return Check(folder, corpus, tuple(problems.errors))

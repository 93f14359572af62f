"""Columns of a report whose meaning is not known: kept where a corpus has a place for them, else named.

What is the same in every row of a sentence describes the sentence (a condition), what is the same in
every row of a reader describes the reader (a group). What differs between the trials of both, or
between fixations, has no place in a corpus.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scandl.corpora.importers.delimited import Delimited, quotes_delimit, sniff
from scandl.corpora.importers.fixation_report import FixationReport, ReportColumn
from scandl.files.tables import read_table
from scandl.records import Sentence

if TYPE_CHECKING:
    from scandl.corpora.importers.fixation_report import Ints


@dataclass(frozen=True, slots=True)
class Covariates:
    """Values by sentence and by reader, and the names of what was left out."""

    sentences: dict[str, dict[str, str]]
    readers: dict[str, dict[str, str]]
    of_trials: tuple[str, ...]
    of_fixations: tuple[str, ...]

    @property
    def note(self) -> str:
        """What was left out, for the card; nothing if nothing was."""
        kinds = (("trials", self.of_trials), ("fixations", self.of_fixations))
        parts = [f"of {kind} {', '.join(names)}" for kind, names in kinds if names]
        return f"columns left out: {'; '.join(parts)}" if parts else ""

    def added_to(self, sentences: Mapping[str, Sentence]) -> dict[str, Sentence]:
        """Return the sentences with their covariates; what was known of them stays."""
        return {
            key: replace(sentence, extra={**self.sentences.get(key, {}), **sentence.extra})
            for key, sentence in sentences.items()
        }


def covariates(report: FixationReport, encoding: str | None = None) -> Covariates:
    """Sort the columns that the report's meanings leave over; one value everywhere tells nothing."""
    groups = {name: report[name] for name in ("sentence_id", "reader_id")}
    trials = groups["reader_id"].codes * len(groups["sentence_id"].texts) + groups["sentence_id"].codes
    found = Covariates({}, {}, (), ())
    for column in _others(report, encoding):
        if len(column.texts) < 2:
            continue
        if _constant(column.codes, groups["sentence_id"].codes):
            _enter(found.sentences, groups["sentence_id"], column)
        elif _constant(column.codes, groups["reader_id"].codes):
            _enter(found.readers, groups["reader_id"], column)
        elif _constant(column.codes, trials):
            found = replace(found, of_trials=(*found.of_trials, column.name))
        else:
            found = replace(found, of_fixations=(*found.of_fixations, column.name))
    return found


def _others(report: FixationReport, encoding: str | None) -> list[ReportColumn]:
    """Return the columns of the file that have no meaning."""
    used = {column.name for column in report.columns.values()}
    if report.path.suffix == ".parquet":
        table = read_table(report.path)
        return [ReportColumn.of(name, cells) for name, cells in table.columns.items() if name not in used]
    header, delimiter = sniff(report.path, encoding)
    names = [name for name in header if name and name not in used and header.count(name) == 1]
    if not names:
        return []
    file = Delimited(report.path, delimiter, delimiter != "\t" or quotes_delimit(report.path), encoding)
    read = file.read(names)
    return [ReportColumn(name, *read[name]) for name in names]


def _constant(codes: Ints, groups: Ints) -> bool:
    """Say whether a column has one value in each group."""
    import numpy as np

    pairs = groups * (int(codes.max()) + 1) + codes
    return len(np.unique(pairs)) == len(np.unique(groups))


def _enter(values: dict[str, dict[str, str]], group: ReportColumn, column: ReportColumn) -> None:
    import numpy as np

    codes, rows = np.unique(group.codes, return_index=True)
    for code, row in zip(codes.tolist(), rows.tolist(), strict=True):
        values.setdefault(group.texts[code], {})[column.name] = column.texts[int(column.codes[row])]

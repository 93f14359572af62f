"""Columns of a report whose meaning is not known: kept where a corpus has a place for them, else named.

What is the same in every row of a sentence describes the sentence (a condition), what is the same in
every row of a reader describes the reader (a group). What differs between the trials of both, or
between fixations, has no place in a corpus; what is the same in every row tells nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scandl.corpora.importers.delimited import Delimited
from scandl.corpora.importers.fixation_report import FixationReport, ReportColumn
from scandl.errors import DataError, Fact
from scandl.files.column_names import candidate_columns, plain
from scandl.files.tables import BINARY, read_table
from scandl.records import Sentence

if TYPE_CHECKING:
    from scandl.corpora.importers.fixation_report import Ints

_TRIALS = frozenset(map(plain, ("trial", "trial_id", "TRIAL_INDEX", "trial_nr", "trial_no", "trial_number")))
TABLE_OF_TEXTS = ("text", "sentence_id", "reader_id")
"""Names that the tables of a corpus have already."""


@dataclass(frozen=True, slots=True)
class Covariates:
    """Values by sentence and by reader, and the names of what was left out."""

    sentences: dict[str, dict[str, str]]
    readers: dict[str, dict[str, str]]
    left_out: Mapping[str, tuple[str, ...]]  # the names by reason

    @property
    def note(self) -> str:
        """What was kept and what was left out, for the card; nothing if there was nothing."""
        kept = (("sentences", self.sentences), ("readers", self.readers))
        parts = [f"columns kept with {kind}: {', '.join(_names(rows))}" for kind, rows in kept if rows]
        parts += [f"columns left out, {why}: {', '.join(names)}" for why, names in self.left_out.items()]
        return "; ".join(parts)

    def added_to(self, sentences: Mapping[str, Sentence]) -> dict[str, Sentence]:
        """Return the sentences with their covariates; what was known of them stays."""
        return {key: self._completed(sentence) for key, sentence in sentences.items()}

    def _completed(self, sentence: Sentence) -> Sentence:
        found = self.sentences.get(sentence.sentence_id, {})
        item = next(iter(candidate_columns(list(found), "item_id")), "")
        return replace(
            sentence, item_id=sentence.item_id or found.get(item, ""), extra={**found, **sentence.extra}
        )


def _names(rows: Mapping[str, Mapping[str, str]]) -> list[str]:
    return list(dict.fromkeys(name for row in rows.values() for name in row))


def covariates(report: FixationReport, encoding: str | None = None) -> Covariates:
    """Sort the columns that the report's meanings leave over."""
    groups = {name: report[name] for name in ("sentence_id", "reader_id")}
    trials = groups["reader_id"].codes * len(groups["sentence_id"].texts) + groups["sentence_id"].codes
    of_sentences: dict[str, dict[str, str]] = {}
    of_readers: dict[str, dict[str, str]] = {}
    left_out: dict[str, tuple[str, ...]] = {}
    places = [(groups["sentence_id"], of_sentences), (groups["reader_id"], of_readers)]
    places.sort(key=lambda place: len(place[0].texts))  # of two that fit, the one with more rows a group
    for column in _others(report, encoding):
        place = next((place for place in places if _constant(column.codes, place[0].codes)), None)
        if column.name in TABLE_OF_TEXTS:
            why = "the texts have their own"
        elif len(column.texts) < 2:
            why = "the same in every row"
        elif place is not None:
            _enter(place[1], place[0], column)
            continue
        elif _constant(column.codes, trials):
            why = "different between trials of a sentence and of a reader"
        else:
            why = "different between fixations"
            _refuse_two_trials(report, column, trials)
        left_out[why] = (*left_out.get(why, ()), column.name)
    return Covariates(of_sentences, of_readers, left_out)


def _others(report: FixationReport, encoding: str | None) -> list[ReportColumn]:
    """Return the columns of the file that have no meaning."""
    used = {column.name for column in report.columns.values()}
    if report.path.suffix in BINARY:
        table = read_table(report.path)
        return [ReportColumn.of(name, cells) for name, cells in table.columns.items() if name not in used]
    header, file = Delimited.of(report.path, encoding)
    names = [name for name in header if name and name not in used and header.count(name) == 1]
    if not names:
        return []
    read = file.read(names)
    return [ReportColumn(name, *read[name]) for name in names]


def _refuse_two_trials(report: FixationReport, column: ReportColumn, readings: Ints) -> None:
    """Raise for a column of trial numbers that says that a reader read a text twice."""
    import numpy as np

    if plain(column.name) not in _TRIALS:
        return
    order = np.argsort(readings, kind="stable")
    same = (np.diff(readings[order]) == 0) & (np.diff(column.codes[order]) != 0)
    row = int(order[int(np.flatnonzero(same)[0]) + 1])
    what = f"reader {report.cell(row, 'reader_id')!r} on text {report.cell(row, 'sentence_id')!r}"
    found = Fact(f"{what} in trial {column.texts[column.codes[row]]} as in another")
    sentence = report["sentence_id"].name
    expected = f"one reading (two texts: --column sentence_id={sentence}+{column.name})"
    raise DataError(report.path, report.line_of(row), column.name, found, expected)


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

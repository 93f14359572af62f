"""The long form of predictions: one row per fixation, under our column names or another tool's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from scandl.errors import DataError, Fact
from scandl.files.cell_values import EXPECTED, join_path, parse_duration, parse_index
from scandl.files.column_names import find_column
from scandl.files.index_base import FLAG
from scandl.files.prediction_columns import KEPT
from scandl.files.tables import Problems, Table

_NEEDED = ("sentence_id", "fixation_index", "word_index")
_CELLS = {
    "fixation_index": (parse_index, "a whole number from 0"),
    "word_index": (parse_index, "a word position from 0"),
    "duration_ms": (parse_duration, EXPECTED),
}

Fixation = tuple[int, int, float | None]
"""(fixation_index, word_index, duration_ms)"""


def is_long_form(table: Table) -> bool:
    """Say whether the header has a column for the fixated word."""
    return find_column(table.path, table.columns, "word_index") is not None


def wide_columns(
    table: Table, problems: Problems, index_base: int | None = None
) -> tuple[dict[str, list[str]], list[int]]:
    """Gather fixations into scanpaths: the columns of the wide form, and the line each path starts in.

    The rows of one scanpath may stand anywhere in the file. ``index_base`` is what the user says that
    positions count from; they are left as they stand.
    """
    names = {
        meaning: find_column(table.path, table.columns, meaning)
        for meaning in ("reader_id", *_NEEDED, "duration_ms")
    }
    table.need(*(meaning for meaning in _NEEDED if names[meaning] is None))
    trials: dict[tuple[str, ...], list[Fixation]] = {}
    first_line: dict[tuple[str, ...], int] = {}
    kept = ["reader_id", "sentence_id", *(name for name in KEPT if name in table.columns)]
    columns = [names.get(name, name) for name in kept]
    for i, row in enumerate(table.rows()):
        try:
            fixation = _fixation(row, names, table.path, table.line(i))
        except DataError as error:
            problems.add(error)
            continue
        trial = tuple(row[column] if column else "" for column in columns)
        trials.setdefault(trial, []).append(fixation)
        first_line.setdefault(trial, table.line(i))
    if index_base is None:
        _check_base(table.path, names["word_index"], trials.values())
    sound = [
        trial for trial in trials if _in_order(table.path, first_line[trial], trial, trials[trial], problems)
    ]
    wide = {name: [trial[k] for trial in sound] for k, name in enumerate(kept)}
    cells = [_cells(trials[trial]) for trial in sound]
    wide |= {name: [cell[name] for cell in cells] for name in ("predicted", "durations")}
    return wide, [first_line[trial] for trial in sound]


def _check_base(path: Path, column: str | None, trials: Iterable[Sequence[Fixation]]) -> None:
    """Refuse positions under another tool's name that could count from 1.

    Reading them as 0-based would shift every path by a word, and only make the scores worse.
    """
    if column == "word_index" or any(word == 0 for trial in trials for _, word, _ in trial):
        return
    found = Fact("no position 0, so that they may count from 1")
    raise DataError(path, 1, column, found, f"positions from 0; say what they count from ({FLAG} 0 or 1)")


def _in_order(
    path: Path, line: int, trial: tuple[str, ...], fixations: list[Fixation], problems: Problems
) -> bool:
    """Sort the fixations of a scanpath, and say whether each index occurs once."""
    fixations.sort(key=lambda fixation: fixation[0])
    indices = [index for index, _, _ in fixations]
    if len(set(indices)) == len(indices):
        return True
    twice = next(index for index in indices if indices.count(index) > 1)
    found = Fact(f"{twice} twice in the scanpath of sentence {trial[1]!r}")
    problems.add(DataError(path, line, "fixation_index", found, "each index once"))
    return False


def _fixation(row: Mapping[str, str], names: Mapping[str, str | None], path: Path, line: int) -> Fixation:
    values: dict[str, float | None] = {}
    for meaning, (parse, expected) in _CELLS.items():
        column = names[meaning]
        text = row[column] if column else ""
        if meaning == "duration_ms" and not text:
            values[meaning] = None
            continue
        try:
            values[meaning] = parse(text)
        except ValueError:
            raise DataError(path, line, column, text, expected) from None
    return int(values["fixation_index"] or 0), int(values["word_index"] or 0), values["duration_ms"]


def _cells(fixations: list[Fixation]) -> dict[str, str]:
    """Return the path, and its durations where every fixation has one."""
    durations = [duration for *_, duration in fixations if duration is not None]
    return {
        "predicted": join_path(word for _, word, _ in fixations),
        "durations": join_path(durations) if len(durations) == len(fixations) else "",
    }

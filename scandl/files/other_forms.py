"""Other forms of predictions: the JSON that the released code writes, and one row per fixation."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from scandl.errors import DataError, Fact, ScandlError
from scandl.files.cell_values import (
    EXPECTED,
    FLAG,
    IDENTIFIER,
    LARGEST_POSITION,
    TEXT,
    is_name,
    is_text,
    join_path,
    parse_duration,
    parse_index,
)
from scandl.files.column_names import find_column
from scandl.files.json_tables import read_json
from scandl.files.prediction_columns import KEPT
from scandl.files.results import write_text
from scandl.files.symbol_repair import clean, frame
from scandl.files.tables import Problems, TextTable, cell_text
from scandl.records import Prediction

Numbered = tuple[int, Prediction]
"""A prediction and the row of the file it stands in."""

_LISTS = ("predicted_sp_ids", "original_sp_ids", "original_sn", "sn_ids", "reader_ids")


def is_released(loaded: object) -> bool:
    """Say whether a loaded JSON file has lists of the released code."""
    return isinstance(loaded, dict) and any(
        name in loaded for name in ("predicted_sp_ids", "original_sp_ids")
    )


def read_released(path: Path, problems: Problems) -> Iterator[Numbered]:
    """Read a file that can only be of the released code."""
    loaded = read_json(path)
    return released_predictions(path, loaded if isinstance(loaded, dict) else {}, problems)


def released_predictions(path: Path, loaded: Mapping[str, Any], problems: Problems) -> Iterator[Numbered]:
    """Yield the predictions of the released code; ids become 0-based word positions, raw ids are kept.

    The human path is data, not a model's output: whatever would have to be repaired in it is a fault,
    most often a sentence that is not the one that was read.
    """
    lists = _lists(path, loaded)
    for i, entry in enumerate(zip(*(lists[name] for name in _LISTS), strict=True), start=1):
        fault = _fault(entry)
        if fault is not None:
            problems.add(DataError(path, i, *fault))
            continue
        predicted, human, sentence, sentence_id, reader_id = entry
        words = _words(sentence)
        yield (
            i,
            Prediction(
                sentence_id=cell_text(sentence_id),
                predicted=clean(predicted, len(words))[0],
                human=clean(human, len(words))[0],
                reader_id=None if reader_id is None else cell_text(reader_id),
                model=path.stem,
                text=" ".join(words),
                raw=tuple(predicted),
            ),
        )


def _words(sentence: str) -> list[str]:
    return [word for word in sentence.split() if word not in ("[CLS]", "[SEP]", "[PAD]")]


def _fault(entry: Sequence[Any]) -> tuple[str, str, str] | None:
    """Return the column, what was found and what was expected of the first fault of an entry."""
    predicted, human, sentence, sentence_id, reader_id = entry
    for name, ids in (("predicted_sp_ids", predicted), ("original_sp_ids", human)):
        if not _are_ids(ids):
            return name, str(ids), "a list of whole numbers from 0"
    if not isinstance(sentence, str) or not _words(sentence):
        return "original_sn", str(sentence), "the sentence as text"
    if not is_text(sentence):
        return "original_sn", sentence, TEXT
    for name, key in (("sn_ids", sentence_id), ("reader_ids", reader_id)):
        if not (_is_identifier(key) or (name == "reader_ids" and key is None)):
            return name, str(key), f"{IDENTIFIER}, or a whole number"
    n_words = len(_words(sentence))
    if wrong := sorted(clean(human, n_words)[1].keys() - {"empty"}):
        expected = f"0, words 1 to {n_words}, {n_words + 1}, and 127 to the end ({', '.join(wrong)})"
        return "original_sp_ids", str(human), expected
    return None


def _is_identifier(key: object) -> bool:
    whole = type(key) is int or (type(key) is float and key.is_integer())
    return whole or (isinstance(key, str) and key != "" and is_name(key))


def write_json(path: Path | str, predictions: Sequence[Prediction]) -> None:
    """Write predictions in that form; it needs the text and the human path of each."""
    lists: dict[str, list[Any]] = {name: [] for name in _LISTS}
    for p in predictions:
        if p.text is None or p.human is None:
            raise ScandlError(
                f"{path}: sentence {p.sentence_id!r} lacks text or human path, which this JSON form needs"
            )
        n_words = len(p.text.split())
        lists["predicted_sp_ids"].append(list(p.raw or frame(p.predicted, n_words)))
        lists["original_sp_ids"].append(list(frame(p.human, n_words)))
        lists["original_sn"].append(f"[CLS] {p.text} [SEP]")
        lists["sn_ids"].append(p.sentence_id)
        lists["reader_ids"].append(p.reader_id)
    write_text(path, json.dumps(lists, ensure_ascii=False) + "\n")


def _are_ids(ids: object) -> bool:
    return isinstance(ids, list) and all(
        type(symbol) is int and 0 <= symbol <= LARGEST_POSITION for symbol in ids
    )


def _lists(path: Path, loaded: Mapping[str, Any]) -> dict[str, list[Any]]:
    for name in _LISTS:
        if not isinstance(loaded.get(name), list):
            raise DataError(
                path, None, name, Fact("no list of this name"), "the parallel lists of the released code"
            )
        if len(loaded[name]) != len(loaded[_LISTS[0]]):
            raise DataError(
                path,
                None,
                name,
                Fact(f"{len(loaded[name])} entries"),
                f"{len(loaded[_LISTS[0]])} as in {_LISTS[0]}",
            )
    return {name: loaded[name] for name in _LISTS}


_NEEDED = ("sentence_id", "fixation_index", "word_index")
_CELLS = {
    "fixation_index": (parse_index, "a whole number from 0"),
    "word_index": (parse_index, "a word position from 0"),
    "duration_ms": (parse_duration, EXPECTED),
}

Fixation = tuple[int, int, float | None]
"""(fixation_index, word_index, duration_ms)"""


def is_long_form(table: TextTable) -> bool:
    """Say whether the header has a column for the fixated word."""
    return find_column(table.path, table.columns, "word_index") is not None


def wide_columns(
    table: TextTable, problems: Problems, index_base: int | None = None
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

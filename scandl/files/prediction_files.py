"""Prediction tables and result files: the seam between rooms, and between us and other people's models."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from scandl.errors import DataError, Fact
from scandl.files.cell_values import (
    EXPECTED,
    FROM_ZERO,
    IDENTIFIER,
    LARGEST_POSITION,
    LOG_PROB,
    NAME,
    TEXT,
    Bases,
    bases_of,
    duration_fault,
    from_zero,
    is_name,
    join_path,
    parse_durations,
    parse_identifier,
    parse_index,
    parse_log_prob,
    parse_name,
    parse_path,
    parse_text,
    seconds_fault,
    warn_of_base,
)
from scandl.files.json_tables import LINES, json_lines, json_table, read_json, read_json_lines, without_nulls
from scandl.files.other_forms import (
    Numbered,
    is_long_form,
    is_released,
    released_predictions,
    wide_columns,
    write_json,
)
from scandl.files.prediction_columns import COLUMNS, MEANINGS, FileWithColumns, check_wide, with_our_names
from scandl.files.results import write_text
from scandl.files.symbol_repair import SYMBOL_COLUMN
from scandl.files.tables import Problems, TextTable, read_table, write_table
from scandl.records import NOTHING, WHOLE, Prediction

if TYPE_CHECKING:
    from scandl.corpora import Corpus

T = TypeVar("T")
U = TypeVar("U")
_OPTIONAL = ("reader_id", "human", "text", "durations", "log_prob")
_NEVER_MISSING = ("sentence_id", "predicted")  # an empty prediction is a path; an empty id is a fault
_OWN_TO_A_ROW = ("predicted", "human", "durations", "log_prob")
"""What hardly two rows share; all else is parsed once and kept once, however often it stands there."""
READERS = ("human", "simulated readers")
"""No model may be called so, in capitals or not: it is the row of the readers themselves."""
_EXPECTED_PATH = "word positions such as '0 1 1 3'"


def read_predictions(
    path: Path | str,
    *,
    corpus: Corpus | None = None,
    problems: Problems | None = None,
    index_base: int | None = None,
) -> list[Prediction]:
    """Read predictions in any of the accepted forms: wide or long tables, or the released code's JSON.

    A table is CSV, Parquet, JSON records or JSON lines. Positions are checked against the sentence
    whenever its text is known, from the file or from ``corpus``.

    Parameters
    ----------
    path
        A file, or a ``FileWithColumns``, which says which of its columns is which.
    corpus
        The corpus whose texts and readers the predictions belong to.
    problems
        All faults are collected here and faulty rows are left out; without it the first fault is raised.
    index_base
        What positions count from, 0 or 1. None is 0, with a warning where that looks wrong.

    Returns
    -------
    list of Prediction
        The predictions, in the order of the file.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "mine.csv")
    ...     write_predictions(file, [Prediction("s1", (0, 1, 1, 3), model="mine")])
    ...     read_predictions(file)[0].predicted
    (0, 1, 1, 3)
    """
    found = read_numbered(path, corpus=corpus, problems=problems, index_base=index_base)
    return [prediction for _, prediction in found]


def read_numbered(
    path: Path | str,
    *,
    corpus: Corpus | None = None,
    problems: Problems | None = None,
    index_base: int | None = None,
) -> list[Numbered]:
    """Read predictions with the row each stands in, for callers that check more and must name the place."""
    source = Path(path)
    chosen = path.columns if isinstance(path, FileWithColumns) else {}
    problems = problems if problems is not None else Problems(stop_at_first=True)
    if source.suffix == ".json" and is_released(loaded := read_json(source)):
        numbered = released_predictions(source, loaded, problems)  # whose alphabet says where words begin
        return sound_predictions(source, numbered, corpus, problems, index_base=0)
    if source.suffix == ".json":
        table = without_nulls(_named(json_table(source, loaded), chosen))
    elif source.suffix in LINES:
        table = without_nulls(_named(read_json_lines(source), chosen))
    else:
        table = _named(read_table(source), chosen)
    numbered = _from_table(table, problems, index_base)
    return sound_predictions(source, numbered, corpus, problems, index_base)


def table_predictions(
    table: TextTable, corpus: Corpus | None, problems: Problems, index_base: int | None = None
) -> list[Numbered]:
    """Return the predictions of a table in wide or long form, each with its row."""
    numbered = _from_table(_named(table, {}), problems, index_base)
    return sound_predictions(table.path, numbered, corpus, problems, index_base)


def _named(table: TextTable, chosen: Mapping[str, str]) -> TextTable:
    """Return the table with its columns under our names, which most tables have already."""
    ours = not chosen and all(name in MEANINGS for name in table.columns)
    return table if ours else with_our_names(table, chosen)


def write_predictions(path: Path | str, predictions: Sequence[Prediction]) -> None:
    """Write predictions as CSV, Parquet, JSON lines or the released code's JSON, by the suffix.

    Parameters
    ----------
    path
        The file, such as ``preds.csv``.
    predictions
        What to write, one row each.

    Returns
    -------
    None
        The file is written whole or not at all.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_predictions(Path(folder, "mine.csv"), [Prediction("s1", (0, 1), model="mine")])
    ...     print(Path(folder, "mine.csv").read_text(), end="")
    model,setting,fold,sentence_id,sample,predicted
    mine,all,0,s1,0,0 1
    """
    if Path(path).suffix == ".json":
        write_json(path, predictions)
    elif Path(path).suffix in LINES:
        write_text(path, json_lines(prediction_columns(predictions)))
    else:
        write_table(path, prediction_columns(predictions))


def prediction_columns(predictions: Sequence[Prediction]) -> dict[str, list[str]]:
    """Return the cells of a prediction table by column; what no prediction has is no column."""
    rows = [_cells(prediction) for prediction in predictions]
    columns: dict[str, list[str]] = {
        name: [row[name] for row in rows]
        for name in COLUMNS
        if name not in _OPTIONAL or any(getattr(p, name) is not None for p in predictions)
    }
    extra = dict.fromkeys(name for prediction in predictions for name in prediction.extra)
    return columns | {name: [p.extra.get(name, "") for p in predictions] for name in extra}


def write_result(
    path: Path | str,
    *,
    metric_spec: Mapping[str, Any],
    rows: Sequence[Mapping[str, Any]],
    provenance: Mapping[str, Any],
) -> None:
    """Write the result JSON of the contract; a value that is not a number is refused."""
    result = {"schema": 1, "metric_spec": metric_spec, "rows": rows, "provenance": provenance}
    write_text(path, json.dumps(result, indent=2, allow_nan=False, ensure_ascii=False) + "\n")


def _from_table(table: TextTable, problems: Problems, index_base: int | None) -> Iterator[Numbered]:
    if "predicted" not in table.columns and is_long_form(table):
        columns, lines = wide_columns(table, problems, index_base)
    else:
        if not {"predicted", "sentence_id"} <= table.columns.keys():
            check_wide(table)
        columns, lines = table.columns, [table.line(i) for i in range(len(table))]
    return _from_columns(table.path, columns, lines, problems)


def _from_columns(
    path: Path, columns: Mapping[str, Sequence[str]], lines: Sequence[int], problems: Problems
) -> Iterator[Numbered]:
    """Parse whole columns at once, which is fast, and yield the rows without a fault."""
    faults: dict[int, DataError] = {}

    def parsed(name: str, parse: Callable[[str], T], expected: str, absent: U) -> Iterable[T | U]:
        """Return the values of a column; ``absent`` where there is none, or no text in an optional one."""
        if name not in columns:
            return itertools.repeat(absent, len(lines))
        found: list[T | U] = []
        known: dict[str, T | U] = {} if name in _NEVER_MISSING else {"": absent}
        for i, text in enumerate(columns[name]):
            if text in known:
                found.append(known[text])
                continue
            try:
                found.append(parse(text))
            except ValueError:
                faults.setdefault(i, DataError(path, lines[i], name, text, expected))
                found.append(absent)
            else:
                if name not in _OWN_TO_A_ROW:
                    known[text] = found[-1]
        return found

    rows = zip(
        parsed("sentence_id", parse_identifier, IDENTIFIER, ""),
        parsed("predicted", parse_path, _EXPECTED_PATH, ()),
        parsed("human", parse_path, _EXPECTED_PATH, None),
        parsed("reader_id", parse_name, IDENTIFIER, None),
        parsed("model", parse_name, NAME, path.stem),
        parsed("setting", parse_name, NAME, WHOLE),
        parsed("fold", parse_name, NAME, "0"),
        parsed("sample", parse_index, "a whole number from 0", 0),
        parsed("text", parse_text, TEXT, None),
        parsed("durations", parse_durations, f"{EXPECTED}, such as '210 180'", None),
        parsed("log_prob", parse_log_prob, LOG_PROB, None),
        parsed(SYMBOL_COLUMN, parse_path, "symbols such as '0 1 1 3 5 127'", None),
        _extra(columns, len(lines)),
        strict=True,
    )
    for i, (line, row) in enumerate(zip(lines, rows, strict=True)):
        prediction = Prediction(*row)
        if i in faults:
            problems.add(faults[i])
        else:
            yield line, prediction


def _extra(columns: Mapping[str, Sequence[str]], n_rows: int) -> Iterable[Mapping[str, str]]:
    """Yield the cells of unknown columns, row by row."""
    unknown = [name for name in columns if name not in COLUMNS]
    if not unknown:
        return itertools.repeat(NOTHING, n_rows)
    cells = zip(*(columns[name] for name in unknown), strict=True)
    return (dict(zip(unknown, row, strict=True)) for row in cells)


def sound_predictions(
    path: Path,
    numbered: Iterable[Numbered],
    corpus: Corpus | None,
    problems: Problems,
    index_base: int | None = None,
) -> list[Numbered]:
    """Return the predictions that have a sound name, occur once and fit their sentence, from position 0."""
    every = list(numbered)
    bases = FROM_ZERO if index_base == 0 else bases_of(path, index_base, (p for _, p in every))
    humans = any(p.human is not None for _, p in every)
    sound = []
    models: set[str] = set()
    seen: set[tuple[object, ...]] = set()
    n_words: dict[str, int] = {}
    for line, as_written in every:
        try:
            prediction = from_zero(path, line, as_written, bases) if bases.predicted else as_written
        except DataError as error:
            problems.add(error)
            continue
        fault = (
            _misnamed(prediction, models)
            or _repeated(prediction, seen, humans)
            or misfit(prediction, corpus, n_words, bases)
            or (duration_fault(prediction) if prediction.durations is not None else None)
        )
        if fault is None:
            sound.append((line, prediction))
        else:
            problems.add(DataError(path, line, *fault))
    _check_units(path, sound, problems)
    if index_base is None:
        warn_of_base(path, [p for _, p in sound], corpus)
    return sound


def _check_units(path: Path, numbered: Iterable[Numbered], problems: Problems) -> None:
    """Refuse durations in seconds, model by model: the milliseconds of others must not hide them."""
    by_model: dict[str, list[Sequence[float]]] = {}
    for _, p in numbered:
        if p.durations is not None:
            by_model.setdefault(p.model, []).append(p.durations)
    for model, timed in by_model.items():
        if (unit := seconds_fault(timed)) is not None:
            found, expected = unit
            of = f" in model {model!r}" if len(by_model) > 1 else ""
            problems.add(DataError(path, None, "durations", Fact(f"{found}{of}"), expected))


Fault = tuple[str, str, str]
"""(column, found, expected)"""


def _misnamed(p: Prediction, sound: set[str]) -> Fault | None:
    if p.model in sound:
        return None
    if p.model.strip().casefold() in READERS:
        return "model", p.model, "another name, this one is reserved for the readers themselves"
    if not is_name(p.model):  # it may be that of the file
        return "model", p.model, NAME
    sound.add(p.model)
    return None


def _repeated(p: Prediction, seen: set[tuple[object, ...]], humans: bool) -> Fault | None:
    if p.reader_id is None and humans:
        return None  # unnamed readers: each row brings its own human path, or should
    key = (p.model, p.setting, p.fold, p.reader_id, p.sentence_id, p.sample)
    if key not in seen:
        seen.add(key)
        return None
    reader = f"reader {p.reader_id!r}, " if p.reader_id else ""
    return (
        "sentence_id",
        Fact(f"{reader}sentence {p.sentence_id!r}, sample {p.sample} a second time"),
        "each (reader, sentence, sample) once per model, setting and fold",
    )


def misfit(
    p: Prediction, corpus: Corpus | None, n_words: dict[str, int], bases: Bases = FROM_ZERO
) -> Fault | None:
    """Return what of a prediction does not fit its sentence; ``n_words`` remembers texts between calls.

    Where the text is not known, positions are still bounded. ``bases`` is what the source counts from.
    """
    text = p.text
    if corpus is not None:
        if p.sentence_id not in corpus.sentences:
            return "sentence_id", p.sentence_id, f"a sentence of corpus {corpus.name!r}"
        text = corpus.sentences[p.sentence_id].text
    if text is None:
        return _beyond(p, LARGEST_POSITION + 1, bases, f"positions below {LARGEST_POSITION + 1:,}")
    if text not in n_words:
        n_words[text] = len(text.split())
    n = n_words[text]
    if p.text is not None and p.text != text and p.text.split() != text.split():
        return "text", p.text, f"the text of sentence {p.sentence_id!r} in the corpus"
    return _beyond(p, n, bases)


def _beyond(p: Prediction, n: int, bases: Bases, expected: str = "") -> Fault | None:
    for column, positions in (("predicted", p.predicted), ("human", p.human or ())):
        if positions and (largest := max(positions)) >= n:
            found = bases.as_written(column, positions)
            return column, found, expected or bases.expected(column, n, largest)
    return None


def _cells(p: Prediction) -> dict[str, str]:
    return {
        "model": p.model,
        "setting": p.setting,
        "fold": p.fold,
        "reader_id": p.reader_id or "",
        "sentence_id": p.sentence_id,
        "sample": str(p.sample),
        "predicted": join_path(p.predicted),
        "human": "" if p.human is None else join_path(p.human) or "[]",  # missing is not an empty path
        "text": p.text or "",
        "durations": join_path(p.durations or ()),
        "log_prob": "" if p.log_prob is None else repr(float(p.log_prob)),
    }

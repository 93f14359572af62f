"""Prediction tables and result files: the seam between rooms, and between us and other people's models."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from scandl import released
from scandl.atomic import write_text
from scandl.cells import join_path, parse_durations, parse_identifier, parse_index, parse_log_prob, parse_path
from scandl.errors import DataError, Fact, Problems
from scandl.long_form import is_long_form, wide_rows
from scandl.records import Prediction
from scandl.tables import Table, read_table, write_table

if TYPE_CHECKING:
    from scandl.corpora import Corpus

T = TypeVar("T")
Numbered = tuple[int, Prediction]
"""A prediction and the row of the file it stands in."""

COLUMNS = (
    "model", "setting", "fold", "reader_id", "sentence_id", "sample",
    "predicted", "human", "text", "durations", "log_prob",
)  # fmt: skip
_OPTIONAL = ("reader_id", "human", "text", "durations", "log_prob")
_EXPECTED_PATH = "word positions such as '0 1 1 3'"


def read_predictions(
    path: Path | str, *, corpus: Corpus | None = None, problems: Problems | None = None
) -> list[Prediction]:
    """Read predictions in any of the accepted forms: wide, long, or the released code's JSON.

    Positions are checked against the sentence whenever its text is known, from the file or from
    ``corpus``. With ``problems`` all faults are collected there and faulty rows are left out;
    without it the first fault is raised.
    """
    source = Path(path)
    problems = problems if problems is not None else Problems(stop_at_first=True)
    if source.suffix == ".json":
        numbered: Iterable[Numbered] = enumerate(released.read_json(source, problems), start=1)
    else:
        numbered = _from_table(read_table(source), problems)
    return _sound(source, numbered, corpus, problems)


def write_predictions(path: Path | str, predictions: Sequence[Prediction]) -> None:
    """Write predictions as CSV, Parquet or the released code's JSON, by the suffix."""
    if Path(path).suffix == ".json":
        released.write_json(path, predictions)
        return
    rows = [_cells(prediction) for prediction in predictions]
    columns: dict[str, list[str]] = {
        name: [row[name] for row in rows]
        for name in COLUMNS
        if name not in _OPTIONAL or any(getattr(p, name) is not None for p in predictions)
    }
    extra = dict.fromkeys(name for prediction in predictions for name in prediction.extra)
    write_table(path, columns | {name: [p.extra.get(name, "") for p in predictions] for name in extra})


def write_result(
    path: Path | str, *, metric_spec: Mapping[str, Any], rows: Sequence[Mapping[str, Any]],
    provenance: Mapping[str, Any],
) -> None:  # fmt: skip
    """Write the result JSON of the contract; a value that is not a number is refused."""
    result = {"schema": 1, "metric_spec": metric_spec, "rows": rows, "provenance": provenance}
    write_text(path, json.dumps(result, indent=2, allow_nan=False, ensure_ascii=False) + "\n")


def _from_table(table: Table, problems: Problems) -> Iterator[Numbered]:
    if "predicted" in table.columns:
        table.need("sentence_id")
        rows: Iterable[tuple[int, dict[str, str]]] = (
            (table.line(i), row) for i, row in enumerate(table.rows())
        )
    elif is_long_form(table):
        rows = wide_rows(table, problems)
    else:
        raise DataError(
            table.path, 1, "predicted", Fact(f"only the columns {', '.join(table.columns)}"),
            "a column 'predicted' (one row per scanpath) or 'word_index' (one row per fixation)",
        )  # fmt: skip
    extra = [name for name in table.columns if name not in COLUMNS] if "predicted" in table.columns else []
    for line, row in rows:
        try:
            prediction = _prediction(row, table.path, line)
        except DataError as error:
            problems.add(error)
            continue
        yield line, replace(prediction, extra={name: row[name] for name in extra}) if extra else prediction


def _prediction(row: Mapping[str, str], path: Path, line: int) -> Prediction:
    def cell(column: str, parse: Callable[[str], T], expected: str) -> T:
        try:
            return parse(row[column])
        except ValueError:
            raise DataError(path, line, column, row[column], expected) from None

    predicted = cell("predicted", parse_path, _EXPECTED_PATH)
    durations = None
    if row.get("durations"):
        durations = cell("durations", parse_durations, "milliseconds such as '210 180'")
        if len(durations) != len(predicted):
            expected = f"{len(predicted)}, one per fixation"
            raise DataError(path, line, "durations", Fact(f"{len(durations)} durations"), expected)
    return Prediction(
        sentence_id=cell("sentence_id", parse_identifier, "an identifier"),
        predicted=predicted,
        human=cell("human", parse_path, _EXPECTED_PATH) if "human" in row else None,
        reader_id=row.get("reader_id") or None,
        model=row.get("model") or path.stem,
        setting=row.get("setting") or "all",
        fold=row.get("fold") or "0",
        sample=cell("sample", parse_index, "a whole number from 0") if row.get("sample") else 0,
        text=row.get("text") or None,
        durations=durations,
        log_prob=cell("log_prob", parse_log_prob, "a natural log-likelihood")
        if row.get("log_prob")
        else None,
    )


def _sound(
    path: Path, numbered: Iterable[Numbered], corpus: Corpus | None, problems: Problems
) -> list[Prediction]:
    """Return the predictions that occur once and fit their sentence."""
    sound = []
    seen: set[tuple[object, ...]] = set()
    n_words: dict[str, int] = {}
    for line, prediction in numbered:
        fault = _repeated(prediction, seen) or _misfit(prediction, corpus, n_words)
        if fault is None:
            sound.append(prediction)
        else:
            problems.add(DataError(path, line, *fault))
    return sound


Fault = tuple[str, str, str]
"""(column, found, expected)"""


def _repeated(p: Prediction, seen: set[tuple[object, ...]]) -> Fault | None:
    if p.reader_id is None and p.human is not None:
        return None  # unnamed readers: each row brings its own human path
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


def _misfit(p: Prediction, corpus: Corpus | None, n_words: dict[str, int]) -> Fault | None:
    text = p.text
    if corpus is not None:
        if p.sentence_id not in corpus.sentences:
            return "sentence_id", p.sentence_id, f"a sentence of corpus {corpus.name!r}"
        text = corpus.sentences[p.sentence_id].text
    if text is None:
        return None
    if text not in n_words:
        n_words[text] = len(text.split())
    n = n_words[text]
    if p.text is not None and p.text != text and p.text.split() != text.split():
        return "text", p.text, f"the text of sentence {p.sentence_id!r} in the corpus"
    for column, positions in (("predicted", p.predicted), ("human", p.human or ())):
        if positions and max(positions) >= n:
            return column, join_path(positions), f"positions 0..{n - 1}, the sentence has {n} words"
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
        "human": join_path(p.human or ()),
        "text": p.text or "",
        "durations": join_path(p.durations or ()),
        "log_prob": "" if p.log_prob is None else repr(float(p.log_prob)),
    }

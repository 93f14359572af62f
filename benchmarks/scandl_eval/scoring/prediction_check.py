"""Everything that is wrong with a prediction file, and what is worth knowing about it."""

from __future__ import annotations

import math
import re
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scandl.corpora import Corpus
from scandl.errors import DataError, Fact
from scandl.files.prediction_files import read_predictions
from scandl.files.tables import Problems
from scandl.pairing import disagreements, left_out, pair
from scandl.records import Prediction
from scandl_eval.scoring.scoring_spec import repair_counts

_VALUE = re.compile(r"\d[\d.,]*|'[^']*'")  # what makes two faults of one kind differ
SHOWN, ROWS = 3, 5  # faults of one kind that are shown, and rows that are named, before the rest is counted


@dataclass(frozen=True, slots=True)
class Validation:
    """What is to be said of a file; many faults of one kind are few lines."""

    path: Path
    n_predictions: int  # without the faulty ones
    n_problems: int  # each row counts
    problems: list[str]  # why the file is refused
    warnings: list[str]  # with what it is read, but not with strict
    remarks: list[str]


def validate(path: Path | str, corpus: Corpus | None = None, *, index_base: int | None = None) -> Validation:
    """Read a prediction file to its end and say all that is wrong with it."""
    source = Path(path)
    if not source.exists():
        raise DataError(source, None, None, Fact("no file"), "a CSV or Parquet file")
    problems = Problems()
    predictions: list[Prediction] = []
    with warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always")
        try:
            predictions = read_predictions(path, corpus=corpus, problems=problems, index_base=index_base)
        except DataError as error:  # the file as a whole cannot be read
            problems.add(error)
    if not predictions and not problems.errors:
        problems.add(DataError(source, None, None, Fact("no predictions"), "at least one row"))
    if predictions and corpus is None and all(p.human is None for p in predictions):
        problems.add(
            DataError(source, None, "human", Fact("no human scanpath"), "a column 'human', or --corpus")
        )
    remarks = _form_remarks(source) if source.is_file() else []
    told = [str(each.message).removeprefix(f"{source}: ") for each in raised]
    return Validation(
        source,
        len(predictions),
        len(problems.errors),
        grouped(problems.errors),
        [*told, *_content_warnings(predictions, corpus)],
        [*remarks, *_content_remarks(predictions, corpus)],
    )


def grouped(errors: Sequence[DataError]) -> list[str]:
    """Return the first faults of each kind a line each, and one line that counts the others.

    >>> faults = [DataError("p.csv", row, "predicted", f"{row} x", "positions") for row in range(2, 7)]
    >>> grouped(faults)[3:]
    ["p.csv: column 'predicted': 2 more such rows: 5, 6"]
    """
    kinds: dict[tuple[str | None, str], list[DataError]] = {}
    for error in errors:
        kinds.setdefault((error.column, _VALUE.sub("", error.expected)), []).append(error)
    return [line for found in kinds.values() for line in (*map(str, found[:SHOWN]), *_more(found[SHOWN:]))]


def _more(errors: Sequence[DataError]) -> list[str]:
    if not errors:
        return []
    rows = ", ".join(str(error.row) for error in errors[:ROWS])
    rest = ", …" if len(errors) > ROWS else ""
    of = f"column {errors[0].column!r}: " if errors[0].column is not None else ""
    return [
        f"{errors[0].path}: {of}{len(errors)} more such row{'s' if len(errors) > 1 else ''}: {rows}{rest}"
    ]


def _form_remarks(path: Path) -> list[str]:
    """Say what a spreadsheet left in a text file; both are read as if absent."""
    if path.suffix == ".parquet":
        return []
    raw = path.read_bytes()
    found = [("a byte-order mark", raw.startswith(b"\xef\xbb\xbf")), ("Windows line ends", b"\r\n" in raw)]
    return [f"{what} found, and read as if absent" for what, there in found if there]


def _content_warnings(predictions: Sequence[Prediction], corpus: Corpus | None) -> list[str]:
    """Say what scoring would leave out or take for another thing than was meant."""
    if corpus is None and all(p.human is None for p in predictions):
        return []  # that is a problem, and told as such
    pairing = pair(predictions, corpus)
    return [*left_out(pairing, len(predictions)), *disagreements(pairing, len(predictions), corpus)]


def _content_remarks(predictions: Sequence[Prediction], corpus: Corpus | None) -> list[str]:
    if not predictions:
        return []
    remarks = [_overview(predictions)]
    counts = [
        (
            sum(not p.predicted and p.human != () for p in predictions),
            "empty predictions; each counts as NLD 1",
        ),
        (
            sum(not p.predicted and p.human == () for p in predictions),
            "empty predictions for an empty human scanpath; each counts as NLD 0",
        ),
        (sum(p.human == () for p in predictions), "empty human scanpaths"),
        (sum(p.reader_id is None for p in predictions), "predictions name no reader"),
        (
            sum(p.text is None for p in predictions) if corpus is None else 0,
            "predictions have no text: positions are not checked, and left-to-right cannot be shown",
        ),
        (_without_durations(predictions), "predictions have no durations, which others have"),
        (
            sum(p.log_prob == -math.inf for p in predictions),
            "human scanpaths have the probability 0: bits per fixation are minus infinity",
        ),
        (_repeated(predictions), "rows repeat another row exactly"),
    ]
    remarks += [f"{n} of {len(predictions)}: {what}" for n, what in counts if n]
    repairs = repair_counts(predictions)
    return remarks + [f"{n} × {what} in the raw symbols" for what, n in sorted(repairs.items())]


def _overview(predictions: Sequence[Prediction]) -> str:
    """Count what the file holds."""
    parts = [f"{len(predictions)} predictions"]
    for name, values in (
        ("models", {p.model for p in predictions}),
        ("settings", {p.setting for p in predictions}),
        ("folds", {p.fold for p in predictions}),
        ("readers", {p.reader_id for p in predictions if p.reader_id is not None}),
        ("sentences", {p.sentence_id for p in predictions}),
        ("samples", {p.sample for p in predictions}),
    ):
        parts.append(f"{len(values)} {name}")
    return ", ".join(parts)


def _repeated(predictions: Sequence[Prediction]) -> int:
    """Count rows without a reader that equal an earlier one: the reader may have been forgotten."""
    rows = Counter(
        (p.model, p.setting, p.fold, p.sentence_id, p.sample, p.predicted, p.human)
        for p in predictions
        if p.reader_id is None
    )
    return sum(n - 1 for n in rows.values())


def _without_durations(predictions: Sequence[Prediction]) -> int:
    """Count the predictions without durations in a file that has some."""
    lacking = sum(p.durations is None for p in predictions)
    return lacking if lacking < len(predictions) else 0

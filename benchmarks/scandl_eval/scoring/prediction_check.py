"""Everything that is wrong with a prediction file, and what is worth knowing about it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scandl.corpora import Corpus
from scandl.errors import DataError, Fact
from scandl.files.prediction_files import read_predictions
from scandl.files.tables import Problems
from scandl.pairing import pair
from scandl.records import Prediction
from scandl_eval.scoring.scoring_spec import repair_counts


@dataclass(frozen=True, slots=True)
class Validation:
    """The faults of a file, one line each, and remarks on what is no fault."""

    path: Path
    n_predictions: int  # without the faulty ones
    problems: list[str]
    remarks: list[str]


def validate(path: Path | str, corpus: Corpus | None = None) -> Validation:
    """Read a prediction file to its end and say all that is wrong with it."""
    source = Path(path)
    if not source.exists():
        raise DataError(source, None, None, Fact("no file"), "a CSV or Parquet file")
    problems = Problems()
    predictions: list[Prediction] = []
    try:
        predictions = read_predictions(path, corpus=corpus, problems=problems)
    except DataError as error:  # the file as a whole cannot be read
        problems.add(error)
    if not predictions and not problems.errors:
        problems.add(DataError(source, None, None, Fact("no predictions"), "at least one row"))
    if predictions and corpus is None and all(p.human is None for p in predictions):
        problems.add(
            DataError(source, None, "human", Fact("no human scanpath"), "a column 'human', or --corpus")
        )
    remarks = _form_remarks(source) if source.is_file() else []
    return Validation(
        source,
        len(predictions),
        list(map(str, problems.errors)),
        [*remarks, *_content_remarks(predictions, corpus)],
    )


def _form_remarks(path: Path) -> list[str]:
    """Say what a spreadsheet left in a text file; both are read as if absent."""
    if path.suffix == ".parquet":
        return []
    raw = path.read_bytes()
    found = [("a byte-order mark", raw.startswith(b"\xef\xbb\xbf")), ("Windows line ends", b"\r\n" in raw)]
    return [f"{what} found, and read as if absent" for what, there in found if there]


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
        (_without_human(predictions, corpus), "predictions have no human scanpath in the corpus"),
        (len(pair(predictions, corpus).other_humans), "human scanpaths are not those of the corpus"),
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


def _without_human(predictions: Sequence[Prediction], corpus: Corpus | None) -> int:
    if corpus is None:
        return 0
    return sum(
        p.human is None
        and (
            (p.reader_id, p.sentence_id) not in corpus.by_pair
            if p.reader_id is not None
            else p.sentence_id not in corpus.by_sentence
        )
        for p in predictions
    )

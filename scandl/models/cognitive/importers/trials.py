"""Simulated trials as other programs write them, and what has to be said of them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scandl.errors import DataError
from scandl.records import Prediction, Sentence

CUT_MS = 0.5
"""What a duration of 0 stands for: programs that cut to whole milliseconds mean less than one."""


@dataclass(slots=True)
class Trial:
    """One simulated reading; the durations may be infinite, no numbers, or absent."""

    sentence: Sentence
    words: list[int] = field(default_factory=list)  # 0-based
    durations: list[float] = field(default_factory=list)  # empty when the program gives none
    reader_id: str | None = None
    repairs: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Imported:
    """The predictions of a file, and one line for everything that is odd about it."""

    predictions: list[Prediction]
    notes: list[str]


def finished(
    trials: Sequence[Trial], *, model: str, setting: str, fold: str, infinite_ms: float | None
) -> Imported:
    """Return the predictions; repeated readings of a sentence are numbered as samples."""
    samples: Counter[tuple[str | None, str]] = Counter()
    predictions = []
    for trial in trials:
        key = (trial.reader_id, trial.sentence.sentence_id)
        predictions.append(
            Prediction(
                sentence_id=trial.sentence.sentence_id,
                predicted=tuple(trial.words),
                reader_id=trial.reader_id,
                model=model,
                setting=setting,
                fold=fold,
                sample=samples[key],
                text=" ".join(trial.sentence.words),
                durations=_durations(trial, infinite_ms),
            )
        )
        samples[key] += 1
    return Imported(predictions, _notes(trials, infinite_ms))


def number(text: str, path: Path, row: int, column: str) -> float:
    """Return a number as Java or C prints it: with a decimal comma, ``Infinity`` or ``NaN``."""
    try:
        return float(text.replace(",", "."))
    except ValueError:
        raise DataError(path, row, column, text, "a number") from None


def milliseconds(text: str, path: Path, row: int, column: str) -> float:
    """Return a duration, which may be infinite or NaN but not negative."""
    value = number(text, path, row, column)
    if value < 0.0:
        raise DataError(path, row, column, text, "milliseconds from 0")
    return value


def lines_of(path: Path) -> list[str]:
    """Return the lines of a program's output; bytes that are not UTF-8 can only stand in words."""
    return path.read_text(encoding="utf-8-sig", errors="replace").splitlines()


def whole_number(text: str, path: Path, row: int, column: str) -> int:
    """Return a whole number, which may be printed with decimals."""
    value = number(text, path, row, column)
    if not value.is_integer():
        raise DataError(path, row, column, text, "a whole number")
    return int(value)


def position(value: int, base: int, n_words: int, path: Path, row: int, column: str) -> int:
    """Return a word position counted from 0, checked against the sentence."""
    if not base <= value < n_words + base:
        expected = f"a position {base}..{n_words - 1 + base} of a sentence of {n_words} words"
        raise DataError(path, row, column, value, expected)
    return value - base


def _durations(trial: Trial, infinite_ms: float | None) -> tuple[float, ...] | None:
    if not trial.durations:
        return None
    if all(math.isfinite(d) for d in trial.durations):
        return tuple(d or CUT_MS for d in trial.durations)
    if infinite_ms is None or any(math.isnan(d) for d in trial.durations):
        return None
    return tuple(infinite_ms if math.isinf(d) else d or CUT_MS for d in trial.durations)


def _notes(trials: Sequence[Trial], infinite_ms: float | None) -> list[str]:
    notes = []
    repeated = _repeated(trials)
    if repeated:
        notes.append(
            f"{repeated} of {len(trials)} trials repeat an earlier trial of the sentence to the millisecond: "
            "the program probably repeated its random seeds, so these are not independent readings"
        )
    unknown = [any(math.isnan(d) for d in trial.durations) for trial in trials]
    if any(unknown):
        notes.append(
            f"{sum(unknown)} of {len(trials)} trials have durations that are no numbers (NaN): "
            "left out with the path's others"
        )
    infinite = sum(
        math.inf in trial.durations and not nan for trial, nan in zip(trials, unknown, strict=True)
    )
    if infinite:
        done = "left out with the path's others" if infinite_ms is None else f"set to {infinite_ms:g} ms"
        notes.append(
            f"{infinite} of {len(trials)} trials have infinite durations (frequencies of 0 were given to the "
            f"program): {done}"
        )
    repairs = sum((trial.repairs for trial in trials), Counter[str]())
    if repairs:
        told = ", ".join(f"{what} {count}×" for what, count in sorted(repairs.items()))
        notes.append(f"repaired on import: {told}")
    return notes


def _repeated(trials: Sequence[Trial]) -> int:
    """Count trials that equal an earlier one in all words and durations; short ones may by chance."""
    seen: set[tuple[object, ...]] = set()
    repeated = 0
    for trial in trials:
        if len(trial.durations) < 3:
            continue
        key = (trial.sentence.sentence_id, *trial.words, *trial.durations)
        repeated += key in seen
        seen.add(key)
    return repeated

"""What measures and predictors are called in figures and tables: words with their unit, no abbreviations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scandl.measures.measure_names import SYNONYMS

_MEASURES = {"sr": "skipping", "fpr": "regressing", "ffc": "first-pass fixations", "tfc": "all fixations"}


def measure_words(measure: str) -> str:
    """Return the name of a measure.

    >>> measure_words("sr"), measure_words("FPRT")
    ('skipping', 'gaze duration')
    """
    concepts = {names.ours: names.concept for names in SYNONYMS}
    return _MEASURES.get(measure) or concepts.get(measure, measure)


def predictor_words(predictor: str) -> str:
    """Return the name of a predictor.

    >>> predictor_words("word_length"), predictor_words("previous_frequency")
    ('length', 'frequency of the previous word')
    """
    own = predictor.removeprefix("previous_").removeprefix("word_")
    return f"{own} of the previous word" if predictor.startswith("previous_") else own


def unit_words(row: Mapping[str, Any]) -> str:
    """Return measure and unit of an effect, as a heading has them.

    >>> unit_words({"measure": "sr", "unit": "percentage points", "per": "letter"})
    'skipping, percentage points per letter'
    """
    unit = row.get("unit") or ""
    per = f" per {row['per']}" if unit and row.get("per") else ""
    return f"{measure_words(row['measure'])}{f', {unit}' if unit else ''}{per}"


def effect_said(measure: str, predictor: str, value: float) -> str:
    """Return which way a measure goes with a predictor.

    >>> effect_said("sr", "word_length", -1.2)
    'skipping falls with length'
    """
    name = measure_words(measure)
    plural = name.endswith("fixations")
    verb = ("rise" if value > 0 else "fall") + ("" if plural else "s")
    return f"{name} {verb} with {predictor_words(predictor)}"


def amount(value: float | None, unit: str | None) -> str:
    """Return an effect with as many digits as its unit deserves.

    >>> amount(-13.82, "percentage points"), amount(0.1234, "fixations"), amount(None, "ms")
    ('−13.8', '0.123', '–')
    """
    if value is None:
        return "–"
    number = f"{value:.{3 if unit == 'fixations' else 1}f}"
    return number.replace("-", "−") if number.strip("-0.") else number.lstrip("-")


def interval(row: Mapping[str, Any], name: str) -> str:
    """Return an effect with its 95 % interval, from the columns NAME, NAME_low and NAME_high.

    >>> interval({"marginal": 2.0, "marginal_low": 1.0, "marginal_high": 3.0, "unit": "ms"}, "marginal")
    '2.0 [1.0, 3.0]'
    """
    value, low, high = (amount(row[f"{name}{end}"], row["unit"]) for end in ("", "_low", "_high"))
    return f"{value} [{low}, {high}]"

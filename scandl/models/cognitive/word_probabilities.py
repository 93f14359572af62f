"""Probabilities of words in a table: as they are, or as surprisal with its unit."""

from __future__ import annotations

import math
from collections.abc import Mapping

from scandl.errors import ScandlError, did_you_mean
from scandl.files.cell_values import parse_number

WordColumns = Mapping[str, Mapping[str, tuple[str, ...]]]
"""Extra word columns of a corpus: column -> sentence -> one value per word."""

PROBABILITY = "probability"
SURPRISAL = "surprisal"
UNIT = "surprisal_unit"
COLUMNS = (PROBABILITY, SURPRISAL, UNIT)
_BASE = {"nats": math.e, "bits": 2.0}


def word_probability(surprisal: float, unit: str) -> float:
    """Return the probability that a surprisal stands for.

    >>> word_probability(3.0, "bits")
    0.125
    >>> word_probability(0.0, "nats")
    1.0
    """
    return float(_BASE[unit] ** -surprisal)


def probabilities(columns: WordColumns, sentence: str) -> tuple[float, ...] | None:
    """Return the probability of each word of a sentence, None where the table has none.

    A column ``probability`` wins over ``surprisal``, which needs its unit in ``surprisal_unit``.
    """
    given = columns.get(PROBABILITY, {}).get(sentence)
    if given is not None:
        return tuple(_probability(value, sentence, n) for n, value in enumerate(given))
    surprisal = columns.get(SURPRISAL, {}).get(sentence)
    if surprisal is None:
        return None
    units = columns.get(UNIT, {}).get(sentence)
    if units is None:
        raise ScandlError(
            f"words column {SURPRISAL!r} has no unit: expected a column {UNIT!r} of nats or bits"
        )
    return tuple(
        _from_surprisal(value, unit, sentence, n)
        for n, (value, unit) in enumerate(zip(surprisal, units, strict=True))
    )


def number(text: str, column: str, sentence_id: str) -> float:
    """Return a value of a words column, or say where there is none."""
    try:
        return parse_number(text)
    except ValueError:
        raise ScandlError(
            f"sentence {sentence_id!r}: words column {column!r}: found {text!r}, expected a number"
        ) from None


def _probability(text: str, sentence: str, word: int) -> float:
    value = number(text, PROBABILITY, sentence)
    if not 0.0 <= value <= 1.0:
        raise ScandlError(
            f"sentence {sentence!r}, word {word}: {PROBABILITY} {value:g}, expected 0..1 "
            "(per cent, or occurrences per million?)"
        )
    return value


def _from_surprisal(text: str, unit: str, sentence: str, word: int) -> float:
    if unit not in _BASE:
        raise ScandlError(f"words column {UNIT!r}: found {unit!r}{did_you_mean(unit, _BASE)}")
    value = number(text, SURPRISAL, sentence)
    if not 0.0 <= value < math.inf:
        raise ScandlError(
            f"sentence {sentence!r}, word {word}: {SURPRISAL} {value:g}, expected 0 or more "
            "(a log-probability has the other sign)"
        )
    return word_probability(value, unit)

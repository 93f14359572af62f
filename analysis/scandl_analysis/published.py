"""Numbers as printed in the literature, shipped with the package for comparison."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class PublishedEffect:
    """One cell of the effect table of Bolliger et al. (2023): New Reader/New Sentence, CELER."""

    predictor: str
    measure: str
    source: str
    mean: float
    ci_low: float
    ci_high: float


@cache
def published_effects() -> tuple[PublishedEffect, ...]:
    """Return the printed effects; cells the paper does not print are absent.

    The surprisal effects, human ones included, rest on a shifted alignment of tokens to words (see
    ``alignment="scandl-v1"`` of the surprisal predictors).
    """
    return tuple(PublishedEffect(**row) for row in _table()["effects"])


def published_note() -> str:
    """Return where the numbers come from and how they were made."""
    return str(_table()["note"])


@cache
def _table() -> dict[str, Any]:
    text = (files("scandl_analysis") / "published" / "effects.json").read_text(encoding="utf-8")
    table: dict[str, Any] = json.loads(text)
    return table

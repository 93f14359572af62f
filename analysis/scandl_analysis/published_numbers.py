"""Numbers as printed in the literature, shipped with the package for comparison."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class PublishedEffect:
    """One cell of the effect table of Bolliger et al. (2023), for the setting nrns of CELER."""

    predictor: str
    measure: str
    source: str
    mean: float
    ci_low: float
    ci_high: float


OUR_NAMES = {"Human": "human", "E-Z Reader": "ezreader"}
"""Names of sources that differ from ours by more than capitals."""
EFFECTS_SETTING, EFFECTS_CORPUS = "nrns", "CELER"


def our_name(source: str) -> str:
    """Return what a source of the paper is called here.

    >>> our_name("E-Z Reader"), our_name("Train-label-dist")
    ('ezreader', 'train-label-dist')
    """
    return OUR_NAMES.get(source, source.lower())


@cache
def published_effects() -> tuple[PublishedEffect, ...]:
    """Return the printed effects; cells the paper does not print are absent.

    The surprisal effects, human ones included, rest on a shifted alignment of tokens to words (see
    ``alignment="scandl-v1"`` of the surprisal predictors).
    """
    return tuple(PublishedEffect(**row) for row in _table("effects")["effects"])


def published_note() -> str:
    """Return where the effects come from and how they were made."""
    return str(_table("effects")["note"])


@dataclass(frozen=True, slots=True)
class PublishedMeasure:
    """Mean ± SD over scanpaths of one measure: New Reader, CLS and SEP counted."""

    measure: str
    corpus: str
    source: str  # by our names: human, scandl
    mean: float
    sd: float


@dataclass(frozen=True, slots=True)
class PublishedCorrelation:
    """One printed correlation of NLD, CLS and SEP counted; names are ours."""

    kind: str  # reader, sentence, scanpath: see scandl_analysis.behaviour.correlations
    model: str
    other: str  # a measure, or the other model
    corpus: str | None  # None: not on record
    setting: str | None
    r: float
    stars: str


@cache
def published_measures(setting: str) -> tuple[PublishedMeasure, ...]:
    """Return the printed scanpath measures of a setting; there are some for New Reader only.

    >>> len(published_measures("nr")), len(published_measures("ns"))
    (24, 0)
    """
    table = _table("behaviour")
    rows = table["measures"] if setting == table["measures_setting"] else ()
    return tuple(PublishedMeasure(**row) for row in rows)


@cache
def published_correlations(setting: str) -> tuple[PublishedCorrelation, ...]:
    """Return the printed correlations of a setting, and those whose setting is not on record.

    >>> len(published_correlations("nrns")), len(published_correlations("nr"))
    (53, 17)
    """
    found = (PublishedCorrelation(**row) for row in _table("behaviour")["correlations"])
    return tuple(row for row in found if row.setting in (None, setting))


@cache
def _table(name: str) -> dict[str, Any]:
    text = (files("scandl_analysis") / "published" / f"{name}.json").read_text(encoding="utf-8")
    table: dict[str, Any] = json.loads(text)
    return table

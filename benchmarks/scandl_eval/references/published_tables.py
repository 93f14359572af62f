"""Published results as reference data: shown beside ours, never ranked with them.

They come from other corpora, folds and conventions, and only their printed digits are known.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from scandl.errors import ScandlError, did_you_mean

TABLES = ("nld", "ablations")


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedRow:
    """One printed number, with what it was computed on and how."""

    model: str
    setting: str
    mean: float
    spread: float | None  # what is printed after ±
    worse_than_best: bool | None  # printed as †; None where no test is reported
    metric: str
    convention: str  # of the NLD, see scandl_eval.scoring.scoring_spec
    corpus: str
    spread_is: str
    source: str


def published_rows(setting: str | None = None, table: str = "nld") -> list[PublishedRow]:
    """Return the printed NLD of a setting, or of all: ``nld`` is Table 1, ``ablations`` the variants.

    >>> [row.mean for row in published_rows("nrns") if row.model == "ScanDL"]
    [0.515]
    """
    if table not in TABLES:
        raise ScandlError(f"no published table {table!r}{did_you_mean(table, TABLES)}")
    return [row for row in _table(table) if setting in (None, row.setting)]


@cache
def _table(name: str) -> tuple[PublishedRow, ...]:
    data = json.loads(
        files("scandl_eval.references").joinpath("published", f"{name}.json").read_text(encoding="utf-8")
    )
    return tuple(
        PublishedRow(
            **row,
            metric="nld",
            convention=data["convention"],
            corpus=data["corpus"][row["setting"]],
            spread_is=data["spread"],
            source=data["source"],
        )
        for row in data["rows"]
    )

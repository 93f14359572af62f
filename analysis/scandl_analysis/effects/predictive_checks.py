"""What the fitted regressions expect of the words they were fitted to, beside what was observed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from scandl_analysis.glm.checks import (
    CELLS,
    Classes,
    Statistic,
    count_table,
    dispersion,
    dispersions,
    mean_by_class,
    measured,
    prior_means,
    replicates,
    rootogram,
)
from scandl_analysis.glm.design import Indices, build_design, by_levels
from scandl_analysis.glm.fit import Fit
from scandl_analysis.glm.kernels import Floats
from scandl_analysis.glm.priors import resolve
from scandl_analysis.glm.spec import Glm
from scandl_analysis.words.readings import HUMAN

if TYPE_CHECKING:
    import pandas as pd

LENGTH_CLASS = "length_class"
READER = "reader_id"
_CELLS = CELLS
"""Replicated words held in memory at once."""


@dataclass(frozen=True)
class _Part:
    """The words of one source in a fit; all of them, unless the design is joint."""

    model: str
    rows: Indices
    observed: Floats
    classes: dict[str, Classes]
    statistics: dict[str, Statistic]


def predictive_checks(
    found: Fit, words: pd.DataFrame, *, model: str, priors: str, seed: int
) -> dict[str, list[dict[str, Any]]]:
    """Return the tables of a fit by their names, one row for each class of words of each source."""
    glm = found.glm
    frame = words.dropna(subset=list(glm.columns))
    parts = _parts(glm, frame, model)
    drawn = measured(
        replicates(found, frame, seed=seed, cells=_CELLS),
        {
            (part.model, name): partial(_of_rows, statistic, part.rows)
            for part in parts
            for name, statistic in part.statistics.items()
        },
    )
    checks: dict[str, list[dict[str, Any]]] = {}
    for part in parts:
        for name, table in _tables(part, {name: drawn[part.model, name] for name in part.statistics}).items():
            checks.setdefault(name, []).extend({"model": part.model, **row} for row in table)
    design = build_design(frame, glm)
    resolved = resolve(priors, glm, design)
    # Maximum likelihood has no priors; those of a joint design are of no single source.
    if resolved.are_proper and not found.gaussian and glm.by is None:
        means = prior_means(glm, design, resolved, seed=seed, cells=_CELLS)
        observed = float(design.outcome.mean())  # of log-normal times the mean logarithm, as expected
        checks["prior predictive mean"] = [{"observed": observed, **_spread(means, np.median)}]
    return checks


def _parts(glm: Glm, frame: pd.DataFrame, model: str) -> list[_Part]:
    sources: dict[str, Indices] = {model: np.arange(len(frame))}
    if glm.by is not None:
        named = frame[glm.by].astype(str).to_numpy()
        sources = {name: np.flatnonzero(named == name) for name in by_levels(frame, glm.by)}
    parts = []
    for source, rows in sources.items():
        theirs = frame.iloc[rows]
        classes: dict[str, Classes] = {}
        if LENGTH_CLASS in frame:
            classes["mean by word length"] = Classes.of(theirs[LENGTH_CLASS])
        if READER in glm.groups and (glm.by is None or source == HUMAN):
            classes["mean by reader"] = Classes.of(theirs[READER])
        statistics: dict[str, Statistic] = {name: each.means for name, each in classes.items()}
        if glm.family in ("poisson", "negativebinomial"):
            statistics |= {"rootogram": count_table, "dispersion": dispersions}
        observed = theirs[glm.measure].to_numpy(dtype=float)
        parts.append(_Part(source, rows, observed, classes, statistics))
    return parts


def _of_rows(statistic: Statistic, rows: Indices, outcomes: Floats) -> Floats:
    return statistic(outcomes if len(rows) == outcomes.shape[1] else outcomes[:, rows])


def _tables(part: _Part, drawn: Mapping[str, Floats]) -> dict[str, list[dict[str, Any]]]:
    """Return observed and replicated values of one source, a table for each check."""
    tables: dict[str, list[dict[str, Any]]] = {
        name: [dict(row) for row in mean_by_class(part.observed, drawn[name], each)]
        for name, each in part.classes.items()
    }
    if "rootogram" in drawn:
        tables["rootogram"] = [dict(row) for row in rootogram(part.observed, drawn["rootogram"])]
        spread = _spread(drawn["dispersion"], np.mean)
        tables["dispersion"] = [{"observed": dispersion(part.observed), **spread}]
    return tables


def _spread(values: Floats, centre: Callable[[Floats], Any]) -> dict[str, float]:
    low, high = np.quantile(values, [0.025, 0.975])
    return {"expected": float(centre(values)), "ci_low": float(low), "ci_high": float(high)}

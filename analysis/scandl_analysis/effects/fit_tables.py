"""Finished regressions as tables: their priors, how they were sampled, how they predict."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from scandl_analysis.effects.fitting import Done
from scandl_analysis.glm.diagnostics import Diagnosis

CHECKS = [
    "model", "measure", "check", "class", "n_words", "observed", "expected", "ci_low", "ci_high", "count",
]  # fmt: skip
DIAGNOSTICS = ["model", "measure", "n_rows", "engine", *Diagnosis({}).row]


def prior_table(fits: Sequence[Done]) -> pd.DataFrame:
    """Return the prior of each parameter of each fit."""
    rows = [
        {"model": _sources(done), "measure": done.glm.measure, "parameter": name, "prior": prior}
        for done in fits if done.fit is not None
        for name, prior in done.fit.prior_table.items()
    ]  # fmt: skip
    return pd.DataFrame(rows)


def diagnostics_table(fits: Sequence[Done]) -> pd.DataFrame:
    """Return how each fit was sampled; the header stands where there is none."""
    rows = [
        {"model": _sources(done), "measure": done.glm.measure, "n_rows": done.n_rows}
        | {"engine": done.fit.engine, **done.diagnosis}
        for done in fits if done.fit is not None
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=DIAGNOSTICS)


def check_table(fits: Sequence[Done]) -> pd.DataFrame:
    """Return prior and posterior predictive checks; the header stands where there is none."""
    rows = [
        {"model": done.model, "measure": done.glm.measure, "check": check, **row}
        for done in fits
        for check, table in done.checks.items()
        for row in table
    ]
    return pd.DataFrame(rows, columns=CHECKS)


def _sources(done: Done) -> str:
    """Return whose words a fit is of."""
    return done.model if done.glm.by is None else "all sources"

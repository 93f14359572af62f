"""The planned regression: contrasts, with intercepts and slopes of readers and of items.

Times are analysed on the log scale. The model is maximal without correlations; a variance that is
estimated as 0 leaves it, which is the largest model that converges. ``--terms`` plans a smaller one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import t as student

from scandl.errors import ScandlError
from scandl_analysis.mixed.crossed_rows import CrossedRows, Floats, GroupTerms
from scandl_analysis.mixed.quasi_likelihood import Kind, fit_mixed
from scandl_analysis.mixed.reml import Reml
from scandl_analysis.piloting.design.condition_contrasts import Contrasts
from scandl_analysis.piloting.reading_pool import Rows

SLOPES = ("maximal", "reader", "item", "none")
"""Whose effects of the condition may differ: readers' and items', one of them, or nobody's."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How every experiment is analysed."""

    contrasts: Contrasts
    slopes: str = "maximal"

    def __post_init__(self) -> None:
        if self.slopes not in SLOPES:
            raise ScandlError(f"--slopes {self.slopes}: expected {', '.join(SLOPES)}")

    def columns(self, group: str) -> tuple[int, ...]:
        """Return the columns of the design whose effects differ between readers or items."""
        every = tuple(range(self.contrasts.matrix.shape[1]))
        return every if self.slopes in ("maximal", group) else (0,)

    def formula(self, measure: str, contrast: str = "condition") -> str:
        """Return the regression as a formula that ``scandl-analysis fit`` takes."""
        reader, item = (contrast if len(self.columns(g)) > 1 else "" for g in ("reader", "item"))
        groups = [f"(1{f' + {x} ||' if x else ' |'} {g})" for x, g in ((reader, "reader"), (item, "item"))]
        return " + ".join([f"{measure} ~ {contrast}", *groups])


@dataclass(frozen=True, slots=True)
class Tested:
    """What one experiment found: one value per contrast."""

    effects: Floats
    errors: Floats
    freedom: Floats
    converged: bool

    @property
    def p(self) -> Floats:
        """The two-sided probability of each t value; 1 where the regression did not converge."""
        if not self.converged:
            return np.ones_like(self.effects)
        return np.asarray(2 * student.sf(np.abs(self.effects / self.errors), self.freedom))


def regression(rows: Rows, plan: Plan, kind: Kind) -> Reml | None:
    """Fit the planned regression; None where the rows cannot tell the effects."""
    known = rows.known()
    if len(known.y) <= 3 * plan.contrasts.matrix.shape[1]:
        return None
    y = np.log(known.y) if kind == "gaussian" else known.y
    if y.min() == y.max():
        return None
    x = plan.contrasts.matrix[known.condition]
    groups = tuple(
        GroupTerms(name, np.unique(levels, return_inverse=True)[1].astype(np.int64), plan.columns(name))
        for name, levels in (("reader", known.reader), ("item", known.item))
    )
    try:
        return fit_mixed(CrossedRows(y, x, groups), kind)
    except np.linalg.LinAlgError:
        return None


def analysed(rows: Rows, plan: Plan, kind: Kind) -> Tested:
    """Return what the planned regression finds in one experiment."""
    found = regression(rows, plan, kind)
    if found is None:
        empty = np.full(len(plan.contrasts.names), np.nan)
        return Tested(empty, empty, empty, converged=False)
    return Tested(found.effects[1:], found.errors[1:], found.freedom[1:], found.converged)

"""The planned regression: contrasts, with intercepts and slopes of readers and of items.

Times are analysed on the log scale. The model is maximal without correlations; a variance that is
estimated as 0 leaves it, which is the largest model that converges. A formula plans a smaller one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import t as student

from scandl.errors import ScandlError
from scandl_analysis.formulas.formula import INTERCEPT, Term, read_formula
from scandl_analysis.mixed.crossed_rows import CrossedRows, Floats, GroupTerms
from scandl_analysis.mixed.quasi_likelihood import Kind, fit_mixed
from scandl_analysis.mixed.reml import Reml
from scandl_analysis.piloting.design.condition_contrasts import Contrasts, condition_contrasts
from scandl_analysis.piloting.design.stimuli import Stimuli
from scandl_analysis.piloting.reading_pool import Rows

GROUPS = ("reader", "item")


@dataclass(frozen=True, slots=True)
class Plan:
    """How every experiment is analysed: which columns of the design differ between readers, between items."""

    contrasts: Contrasts
    by_group: tuple[tuple[int, ...], ...] = ()  # of ``GROUPS``; none: all columns, the maximal model
    text: str = "condition"  # the common effects, as they were written

    def columns(self, group: str) -> tuple[int, ...]:
        """Return the columns of the design whose effects differ between readers or items."""
        every = tuple(range(self.contrasts.matrix.shape[1]))
        return self.by_group[GROUPS.index(group)] if self.by_group else every

    def formula(self, measure: str) -> str:
        """Return the regression as a formula that ``scandl-analysis fit`` takes."""
        groups = (_group_text(self, name) for name in GROUPS if self.columns(name))
        return " + ".join([f"{measure} ~ {self.text}", *groups])


def planned(stimuli: Stimuli, contrast: str = "condition", formula: str = "") -> Plan:
    """Return the plan for a contrast, maximal without correlations, or that of a formula.

    A formula is one as ``scandl-analysis fit`` takes, with groups ``reader`` and ``item``; its outcome,
    where it has one, is left out: every measure is analysed so.
    """
    if not formula:
        return Plan(condition_contrasts(stimuli, contrast), text=contrast)
    parsed = read_formula(f"outcome ~ {formula.rpartition('~')[2]}")
    text = " + ".join(":".join(term) for term in parsed.terms if term != INTERCEPT)
    if not text:
        raise ScandlError(f"--formula {formula}: expected a contrast, such as condition + (1 | reader)")
    contrasts = condition_contrasts(stimuli, text)
    for group in parsed.groups:
        if group.factor not in GROUPS:
            raise ScandlError(f"--formula {formula}: no group {group.factor!r}; known: reader, item")
        if group.correlated:
            raise ScandlError(f"--formula {formula}: correlated slopes are not offered here; write || for |")
    terms = {group.factor: group.terms for group in parsed.groups}
    return Plan(contrasts, tuple(_columns(contrasts, terms.get(name, ()), name) for name in GROUPS), text)


def _columns(contrasts: Contrasts, terms: Sequence[Term], group: str) -> tuple[int, ...]:
    """Return the columns of the design that belong to the terms of a group."""
    known = (INTERCEPT, *contrasts.terms)
    for term in terms:
        if term not in known:
            raise ScandlError(f"--formula: {':'.join(term)} of {group} is not among the common effects")
    return tuple(k for k, term in enumerate(known) if term in terms)


def _group_text(plan: Plan, group: str) -> str:
    """Return the terms of a group as a formula has them."""
    if not plan.by_group:
        return f"(1 + {plan.text} || {group})"
    terms = ((("1",), *plan.contrasts.terms)[k] for k in plan.columns(group))
    written = list(dict.fromkeys(":".join(term) for term in terms))
    zero = [] if "1" in written else ["0"]
    return f"({' + '.join([*zero, *written])} {'||' if len(written) > 1 else '|'} {group})"


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
        if plan.columns(name)
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

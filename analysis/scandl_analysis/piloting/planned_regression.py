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
from scandl.statistics.bootstrap import Floats
from scandl_analysis.formulas.formula import INTERCEPT, Term, read_formula
from scandl_analysis.formulas.model_frame import CONTRASTS
from scandl_analysis.piloting.mixed_model import CrossedRows, GroupTerms, Kind, Reml, fit_mixed
from scandl_analysis.piloting.reading_pool import ReadingRows
from scandl_analysis.piloting.stimuli import Stimuli

GROUPS = ("reader", "item")


@dataclass(frozen=True, slots=True)
class Contrasts:
    """The design of the conditions: the intercept is the mean of all, each contrast a difference."""

    names: tuple[str, ...]
    matrix: Floats  # (conditions, 1 + contrasts)
    terms: tuple[Term, ...] = ()  # of a formula, that each contrast belongs to

    @property
    def weights(self) -> Floats:
        """What each contrast makes of the means of the conditions, (contrasts, conditions)."""
        return np.asarray(np.linalg.pinv(self.matrix)[1:])

    def is_interaction(self, k: int) -> bool:
        """Return whether a contrast is a difference of differences."""
        return bool(self.terms) and len(self.terms[k]) > 1


def condition_contrasts(stimuli: Stimuli, contrast: str = "condition") -> Contrasts:
    """Return the contrasts that ``contrast`` names: a column, or columns joined by ``*`` or ``+``.

    Levels stand in the order of the file; each is compared with the one before it.
    """
    formula = read_formula(f"outcome ~ {contrast}")
    if formula.groups:
        raise ScandlError(f"--contrast {contrast}: readers and items are added by themselves")
    columns: dict[str, Floats] = {}
    terms: list[Term] = []
    for term in (term for term in formula.terms if term != INTERCEPT):
        own = _term(stimuli, term)
        columns |= own
        terms += [term] * len(own)
    matrix = np.column_stack([np.ones(len(stimuli.conditions)), *columns.values()])
    if np.linalg.matrix_rank(matrix) < matrix.shape[1]:
        raise ScandlError(
            f"--contrast {contrast}: {len(columns)} contrasts cannot be told apart in"
            f" {len(stimuli.conditions)} conditions"
        )
    return Contrasts(tuple(columns), matrix, tuple(terms))


def _term(stimuli: Stimuli, term: tuple[str, ...]) -> dict[str, Floats]:
    """Return the columns of a factor, or of an interaction of several."""
    columns: dict[str, Floats] = {"": np.ones(len(stimuli.conditions))}
    for name in term:
        levels = stimuli.factor(name)
        distinct = list(dict.fromkeys(levels[condition] for condition in stimuli.conditions))
        if len(distinct) < 2:
            raise ScandlError(
                f"{stimuli.path}: the contrast {name!r} has one level, {distinct[0]!r}, expected two or more"
            )
        names, matrix = CONTRASTS["sdif"](distinct)
        own = matrix[[distinct.index(levels[condition]) for condition in stimuli.conditions]]
        columns = {
            f"{left} × {said}" if left else said: a * own[:, k]
            for left, a in columns.items()
            for k, said in enumerate(_said(name, names, alone=len(term) == 1))
        }
    return columns


def _said(name: str, differences: list[str], *, alone: bool) -> list[str]:
    """Return the names of the columns: ``b − a`` of conditions, ``animacy yes − no`` of other factors.

    In an interaction a factor of two levels is named by itself: ``animacy × subjecthood``.
    """
    if not alone and len(differences) == 1:
        return [name]
    shown = [" − ".join(difference.rsplit("-", 1)) for difference in differences]
    return shown if name == "condition" else [f"{name} {difference}" for difference in shown]


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


def regression(rows: ReadingRows, plan: Plan, kind: Kind) -> Reml | None:
    """Fit the planned regression; None where the rows cannot tell the effects."""
    known = rows.known()
    if len(known.y) <= 3 * plan.contrasts.matrix.shape[1]:
        return None
    y = np.log(known.y) if kind == "gaussian" else known.y
    if y.min() == y.max():
        return None
    x = plan.contrasts.matrix[known.condition]
    groups = tuple(
        GroupTerms(np.unique(levels, return_inverse=True)[1].astype(np.int64), plan.columns(name))
        for name, levels in (("reader", known.reader), ("item", known.item))
        if plan.columns(name)
    )
    try:
        return fit_mixed(CrossedRows(y, x, groups), kind)
    except np.linalg.LinAlgError:
        return None


def analysed(rows: ReadingRows, plan: Plan, kind: Kind) -> Tested:
    """Return what the planned regression finds in one experiment."""
    found = regression(rows, plan, kind)
    if found is None:
        empty = np.full(len(plan.contrasts.names), np.nan)
        return Tested(empty, empty, empty, converged=False)
    return Tested(found.effects[1:], found.errors[1:], found.freedom[1:], found.converged)

"""The planned regression: contrasts, what else differs along them, slopes of readers and of items.

Times are analysed on the log scale. The model is maximal without correlations; a variance that is
estimated as 0 leaves it, which is the largest model that converges. A formula plans a smaller one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import t as student

from scandl.errors import ScandlError
from scandl.statistics.bootstrap import Floats
from scandl_analysis.formulas.formula import CONTRASTS, INTERCEPT, Term, read_formula
from scandl_analysis.piloting.mixed_model import CrossedRows, GroupTerms, Kind, Reml, fit_mixed
from scandl_analysis.piloting.reading_pool import ReadingRows
from scandl_analysis.piloting.stimuli import ItemVersion, Stimuli
from scandl_analysis.predictors.word_predictors import Predictors

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


NOTABLE = 0.2  # of |d|: what Cohen calls a small effect
FEATURES = ("length", "frequency", "surprisal", "position", "sentence length")
"""Characters, mean Zipf frequency and summed surprisal of the region, its first word, words of the text."""


def leaves_out_0(interval: tuple[float, float]) -> bool:
    """Return whether an interval has one sign."""
    return interval[0] > 0 or interval[1] < 0


@dataclass(frozen=True, slots=True)
class Confound:
    """How far a property of the stimuli differs along a contrast."""

    feature: str
    contrast: str
    means: tuple[float, ...]  # of the conditions
    difference: float
    ci95: tuple[float, float] | None  # over items; None where all items differ by the same
    d: float | None  # the difference in standard deviations within conditions; None where they are 0

    @property
    def notable(self) -> bool:
        """Whether the difference is one that reviewers ask about."""
        if abs(self.difference) < 1e-9:
            return False
        return self.d is None or abs(self.d) >= NOTABLE or (self.ci95 is not None and leaves_out_0(self.ci95))

    def as_dict(self, conditions: tuple[str, ...]) -> dict[str, Any]:
        """Return the row of a table."""
        means = {f"mean {name}": mean for name, mean in zip(conditions, self.means, strict=True)}
        found = {"difference": self.difference, "ci95": self.ci95, "d": self.d, "notable": self.notable}
        return {"feature": self.feature, "contrast": self.contrast, **means, **found}


def confounds(stimuli: Stimuli, contrasts: Contrasts, predictors: Predictors) -> list[Confound]:
    """Compare the conditions in every property, item by item."""
    found = []
    for feature in FEATURES:
        values = _values(feature, stimuli, predictors)
        if values is not None:
            rows = zip(contrasts.names, contrasts.weights, strict=True)
            found += [compare(feature, name, values, weights) for name, weights in rows]
    return found


def compare(feature: str, contrast: str, values: Floats, weights: Floats) -> Confound:
    """Return how a property, (items, conditions), differs along a contrast; items without it are left out.

    >>> compare("length", "b − a", np.array([[4.0, 6], [5, 6], [6, 9]]), np.array([-1.0, 1])).difference
    2.0
    """
    known = values[~np.isnan(values).any(axis=1)]
    differences = known @ weights
    n, mean = len(differences), float(differences.mean()) if len(differences) else float("nan")
    spread = float(differences.std(ddof=1)) if n > 1 else 0.0
    margin = float(student.ppf(0.975, n - 1)) * spread / np.sqrt(n) if n > 1 and spread > 1e-12 else None
    within = float(np.sqrt(known.var(axis=0, ddof=1).mean())) if n > 1 else 0.0
    d = mean / within if within > 1e-12 else (0.0 if abs(mean) < 1e-12 else None)
    ci95 = None if margin is None else (mean - margin, mean + margin)
    return Confound(feature, contrast, tuple(known.mean(axis=0).tolist()), mean, ci95, d)


def _values(feature: str, stimuli: Stimuli, predictors: Predictors) -> Floats | None:
    if feature != "sentence length" and not stimuli.has_region:
        return None
    values = [_value(feature, stimulus, predictors) for stimulus in stimuli.every]
    return np.array(values).reshape(len(stimuli.items), len(stimuli.conditions))


def _value(feature: str, stimulus: ItemVersion, predictors: Predictors) -> float:
    if feature == "sentence length":
        return float(len(stimulus.words))
    first, last = stimulus.region or (0, 0)
    if feature == "position":
        return float(first)
    if feature == "length":
        return float(len(" ".join(stimulus.words[first : last + 1])))
    values = predictors.columns[feature][stimulus.text][first : last + 1]
    return float(np.mean(values) if feature == "frequency" else np.sum(values))

"""The contrasts an experiment is about: from conditions to columns of numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scandl.errors import ScandlError
from scandl_analysis.formulas.contrasts import CONTRASTS
from scandl_analysis.formulas.formula import INTERCEPT, Term, read_formula
from scandl_analysis.mixed.crossed_rows import Floats
from scandl_analysis.piloting.design.stimuli import Stimuli


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

"""Generalised linear models as data: what is regressed on what, and how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scandl_analysis.words.readings import HUMAN
from scandl_analysis.words.word_table import PREDICTORS

Family = Literal["bernoulli", "poisson", "negativebinomial"]

FAMILIES: dict[str, Family] = {"sr": "bernoulli", "fpr": "bernoulli", "ffc": "poisson", "tfc": "poisson"}
"""The measures of the ScanDL paper with their families (Bolliger et al., 2023)."""


@dataclass(frozen=True, slots=True)
class Glm:
    """A regression of one reading measure; any engine can fit it.

    With ``by`` set to a column, the intercept and every slope differ between that column's levels;
    the first level is the reference and the interactions are differences from it.
    """

    measure: str
    family: Family
    predictors: tuple[str, ...] = PREDICTORS
    groups: tuple[str, ...] = ()
    by: str | None = None

    @property
    def formula(self) -> str:
        """Wilkinson notation, as bambi, brms and lme4 read it.

        >>> Glm("sr", "bernoulli", ("word_length", "surprisal"), ("reader_id",)).formula
        'sr ~ word_length + surprisal + (1|reader_id)'
        >>> Glm("tfc", "poisson", ("word_length",), by="source").formula
        'tfc ~ source * (word_length)'
        """
        common = " + ".join(self.predictors) or "1"
        if self.by is not None:
            common = f"{self.by} * ({common})"
        return " + ".join([f"{self.measure} ~ {common}", *(f"(1|{group})" for group in self.groups)])

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns a data frame must have."""
        by = () if self.by is None else (self.by,)
        return (self.measure, *self.predictors, *self.groups, *by)


def paper_glm(
    measure: str, source: str, *, predictors: tuple[str, ...] = PREDICTORS, family: Family | None = None
) -> Glm:
    """Return the paper's model of one measure: a reader intercept for humans, none for generators.

    >>> paper_glm("ffc", "human").groups, paper_glm("ffc", "uniform").groups
    (('reader_id',), ())
    """
    groups = ("reader_id",) if source == HUMAN else ()
    return Glm(measure, family or FAMILIES[measure], predictors, groups)


def joint_glm(measure: str, *, predictors: tuple[str, ...] = PREDICTORS, family: Family | None = None) -> Glm:
    """Return one model of humans and one generator; its interactions are the differences of effects."""
    groups = ("reader_id", "sentence_id")
    return Glm(measure, family or FAMILIES[measure], predictors, groups, by="source")

"""Generalised linear models as data: what is regressed on what, and how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scandl.errors import ConfigError, did_you_mean
from scandl.measures.word_measures import DURATIONS
from scandl_analysis.words.analysed_run import HUMAN
from scandl_analysis.words.word_table import PREDICTORS

Family = Literal["bernoulli", "poisson", "negativebinomial", "gaussian", "lognormal"]

FAMILIES: dict[str, Family] = {"sr": "bernoulli", "fpr": "bernoulli", "ffc": "poisson", "tfc": "poisson"}
"""The measures of the ScanDL paper with their families (Bolliger et al., 2023)."""

ALSO_CALLED = {"RPD": "RPD_inc"}
"""Names of measures that the literature shortens."""


def known_measure(name: str) -> str:
    """Return the column of a measure that can be regressed, or say which there are.

    >>> known_measure("RPD")
    'RPD_inc'
    """
    known = (*FAMILIES, *DURATIONS)
    column = ALSO_CALLED.get(name, name)
    if column not in known:
        raise ConfigError(f"no measure {name!r} to regress{did_you_mean(name, known)}")
    return column


def family_of(measure: str) -> Family:
    """Return the family of a measure: that of the paper, and log-normal for times.

    >>> family_of("sr"), family_of("FPRT")
    ('bernoulli', 'lognormal')
    """
    return FAMILIES.get(known_measure(measure), "lognormal")


TIMES: tuple[Family, ...] = ("gaussian", "lognormal")
"""Families of continuous outcomes: raw, or the logarithm of what is above 0."""


@dataclass(frozen=True, slots=True)
class Slope:
    """An effect of a predictor that differs between the levels of a group, by itself: (0 + x | group).

    >>> str(Slope("surprisal", "reader_id"))
    'surprisal|reader_id'
    """

    predictor: str
    group: str

    def __str__(self) -> str:
        return f"{self.predictor}|{self.group}"


@dataclass(frozen=True, slots=True)
class Glm:
    """A regression of one reading measure; any engine can fit it.

    ``groups`` have intercepts, crossed or nested; ``slopes`` are uncorrelated with them and with each
    other, but for the groups in ``correlated``. With ``by`` set to a column, the intercept and every
    slope differ between that column's levels; the first level is the reference and the interactions
    are differences from it.
    """

    measure: str
    family: Family
    predictors: tuple[str, ...] = PREDICTORS
    groups: tuple[str, ...] = ()
    by: str | None = None
    slopes: tuple[Slope, ...] = ()
    correlated: tuple[str, ...] = ()

    @property
    def formula(self) -> str:
        """Wilkinson notation, as lme4 and brms read it.

        >>> Glm("sr", "bernoulli", ("word_length", "surprisal"), ("reader_id",)).formula
        'sr ~ word_length + surprisal + (1|reader_id)'
        >>> Glm("tfc", "poisson", ("word_length",), by="source").formula
        'tfc ~ source * (word_length)'
        >>> Glm("sr", "bernoulli", ("x",), ("reader", "word"), slopes=(Slope("x", "reader"),)).formula
        'sr ~ x + (1 + x||reader) + (1|word)'
        """
        common = " + ".join(self.predictors) or "1"
        if self.by is not None:
            common = f"{self.by} * ({common})"
        response = f"log({self.measure})" if self.family == "lognormal" else self.measure
        return " + ".join([f"{response} ~ {common}", *map(self._group_formula, self.factors)])

    @property
    def factors(self) -> tuple[str, ...]:
        """The grouping columns, each once."""
        return tuple(dict.fromkeys((*self.groups, *(slope.group for slope in self.slopes))))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns a data frame must have, each once."""
        by = () if self.by is None else (self.by,)
        varying = tuple(slope.predictor for slope in self.slopes)
        return tuple(dict.fromkeys((self.measure, *self.predictors, *varying, *self.factors, *by)))

    def slopes_of(self, factor: str) -> tuple[str, ...]:
        """Return the predictors whose effects differ between the levels of a factor."""
        return tuple(slope.predictor for slope in self.slopes if slope.group == factor)

    def _group_formula(self, factor: str) -> str:
        terms = ("1" if factor in self.groups else "0", *self.slopes_of(factor))
        plain = terms == ("1",) or factor in self.correlated
        return f"({' + '.join(terms)}{'|' if plain else '||'}{factor})"


def paper_glm(
    measure: str, source: str, *, predictors: tuple[str, ...] = PREDICTORS, family: Family | None = None
) -> Glm:
    """Return the paper's model of one measure: a reader intercept for humans, none for generators.

    >>> paper_glm("ffc", "human").groups, paper_glm("ffc", "uniform").groups
    (('reader_id',), ())
    """
    groups = ("reader_id",) if source == HUMAN else ()
    return Glm(measure, family or family_of(measure), predictors, groups)


def joint_glm(measure: str, *, predictors: tuple[str, ...] = PREDICTORS, family: Family | None = None) -> Glm:
    """Return one model of humans and one generator; its interactions are the differences of effects."""
    groups = ("reader_id", "sentence_id")
    return Glm(measure, family or family_of(measure), predictors, groups, by="source")

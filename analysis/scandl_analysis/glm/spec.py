"""Generalised linear models as data: what is regressed on what, what an engine is given, what it returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from scandl.errors import ConfigError, did_you_mean
from scandl.measures.word_measures import DURATIONS
from scandl.statistics.bootstrap import Floats
from scandl_analysis.words.analysed_run import HUMAN
from scandl_analysis.words.word_table import PREDICTORS

if TYPE_CHECKING:
    import pandas as pd

    from scandl_analysis.glm.design import Design
    from scandl_analysis.glm.priors import Priors

Family = Literal["bernoulli", "poisson", "negativebinomial", "conwaymaxwell", "gaussian", "lognormal"]
COUNTS: tuple[Family, ...] = ("poisson", "negativebinomial", "conwaymaxwell")
"""Families of counts: with the variance of their mean, with more, and with more or less."""

FAMILIES: dict[str, Family] = {"sr": "bernoulli", "fpr": "bernoulli", "ffc": "poisson", "tfc": "poisson"}
"""The measures of the ScanDL paper with their families (Bolliger et al., 2023)."""

ALSO_CALLED = {"RPD": "RPD_inc"}
"""Names of measures that the literature shortens."""


TIMES: tuple[Family, ...] = ("gaussian", "lognormal")
"""Families of continuous outcomes: raw, or the logarithm of what is above 0."""
SHAPE_NAMES = {"negativebinomial": "alpha", "conwaymaxwell": "nu", "gaussian": "sigma", "lognormal": "sigma"}
"""What the parameter of a family beside the mean is called; bambi's names where it has the family."""
QUICK_LOOK = "laplace"
"""The engine that draws from an approximation and not from the posterior."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How much is drawn; ``tune`` of None is the engine's own default.

    Where chains disagree, ``hmc`` makes up to ``patience`` times the draws and keeps as many as were asked
    for.
    """

    draws: int = 1000
    chains: int = 4
    tune: int | None = None
    patience: int = 4
    seed: int = 1


@dataclass(frozen=True)
class Problem:
    """A regression with the data and the priors it is to be fitted with."""

    glm: Glm
    frame: pd.DataFrame
    design: Design
    priors: Priors


@dataclass(frozen=True)
class Fit:
    """What an engine found: draws by parameter, under the names bambi uses.

    ``Intercept`` belongs to the predictors as they came, not to the centred ones; group intercepts
    are called ``1|reader_id`` and their deviation ``1|reader_id_sigma``, slopes ``surprisal|reader_id``.
    """

    glm: Glm
    engine: str
    priors: str
    prior_table: Mapping[str, str]
    n_rows: int
    draws: Mapping[str, Floats]  # (chain, draw) or (chain, draw, level)
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    stats: Mapping[str, Floats] = field(default_factory=dict)
    """Diverging, energy, tree depth: (chain, transition), also of draws that were not kept."""
    note: str = ""
    versions: int = 1  # completed versions of imputed words that it is pooled over; each has as many chains

    @property
    def has_chains(self) -> bool:
        """Whether the draws are those of a sampler; a quick look has independent ones."""
        return self.engine != QUICK_LOOK

    @property
    def shape(self) -> Floats | None:
        """All draws of the parameter beside the mean in one row; None where the family has none."""
        name = SHAPE_NAMES.get(self.glm.family, "")
        return self.flat(name) if name in self.draws else None

    def flat(self, name: str) -> Floats:
        """Return all draws of a scalar parameter in one row."""
        return np.asarray(self.draws[name]).reshape(-1)


def named_draws(problem: Problem, hyper: Floats, effects: Floats) -> dict[str, Floats]:
    """Return draws (chain, draw, parameter) of a posterior's vectors by their names."""
    design = problem.design
    n_terms = len(design.terms)
    slopes = effects[..., 1 : 1 + n_terms]
    draws = {"Intercept": effects[..., 0] - slopes @ design.x_mean}
    draws |= {name: slopes[..., k] for k, name in enumerate(design.terms)}
    place = 1 + n_terms
    for k, group in enumerate(design.groups):
        draws[f"{group.name}_sigma"] = np.exp(hyper[..., k])
        draws[group.name] = effects[..., place : place + len(group.levels)]
        place += len(group.levels)
    if problem.priors.shape is not None:
        draws[SHAPE_NAMES[problem.glm.family]] = np.exp(hyper[..., -1])
    return draws


def make_fit(
    problem: Problem,
    engine: str,
    draws: Mapping[str, Floats],
    *,
    stats: Mapping[str, Floats] | None = None,
    note: str = "",
) -> Fit:
    """Return the record of a finished fit."""
    design, priors = problem.design, problem.priors
    levels = {group.name: group.levels for group in design.groups}
    table = priors.table(problem.glm, design)
    return Fit(problem.glm, engine, priors.name, table, design.n_rows, draws, levels, stats or {}, note)

"""What an engine is given and what it returns: a regression with its data, and draws of its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from scandl_analysis.glm.design import Design
from scandl_analysis.glm.kernels import Floats
from scandl_analysis.glm.priors import Priors
from scandl_analysis.glm.spec import Glm

if TYPE_CHECKING:
    import pandas as pd

SHAPE_NAMES = {"negativebinomial": "alpha", "gaussian": "sigma", "lognormal": "sigma"}
"""What bambi calls the parameter of a family beside the mean."""
QUICK_LOOK = "laplace"
"""The engine that draws from an approximation and not from the posterior."""


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

    @property
    def has_chains(self) -> bool:
        """Whether the draws are those of a sampler; a quick look has independent ones."""
        return self.engine != QUICK_LOOK

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
    table = priors.table(design)
    return Fit(problem.glm, engine, priors.name, table, design.n_rows, draws, levels, stats or {}, note)

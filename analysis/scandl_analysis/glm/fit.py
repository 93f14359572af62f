"""One function that fits any model with any engine, what engines need, and the record it returns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from scandl.errors import ScandlError
from scandl.extras import check_installed
from scandl.registry import Registry
from scandl_analysis.glm.design import Design, build_design, check_separation
from scandl_analysis.glm.kernels import Floats
from scandl_analysis.glm.priors import Priors, resolve
from scandl_analysis.glm.spec import Glm

if TYPE_CHECKING:
    import pandas as pd

SHAPE_NAMES = {"negativebinomial": "alpha", "gaussian": "sigma", "lognormal": "sigma"}
"""What bambi calls the parameter of a family beside the mean."""
QUICK_LOOKS = ("laplace", "mle", "mle-robust")
"""Engines that are not the posterior."""
_SAMPLERS = ("arviz_stats", "nutpie")
_LIBRARIES = ("arviz_stats", "bambi")
_NEEDED = {"hmc": ("arviz_stats",), "nuts": _SAMPLERS, "imh": _SAMPLERS} | dict.fromkeys(
    ("pymc", "nutpie", "numpyro"), _LIBRARIES
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How much is drawn; ``tune`` of None is the engine's own default.

    Where chains disagree, ``hmc`` and ``nuts`` make up to ``patience`` times the draws and keep as many as
    were asked for.
    """

    draws: int = 1000
    chains: int = 4
    tune: int | None = None
    patience: int = 4
    seed: int = 1


@dataclass(frozen=True)
class Task:
    """A model with the data and priors it is to be fitted with."""

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
    gaussian: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Mean and standard deviation by parameter, where the engine knows them without drawing."""
    freedom: int | None = None
    """Degrees of freedom of the t distribution those have; None: they are normal."""
    note: str = ""

    @property
    def has_chains(self) -> bool:
        """Whether the draws are those of a sampler; a quick look has independent ones, or none."""
        return not self.gaussian and self.engine != "laplace"

    def flat(self, name: str) -> Floats:
        """Return all draws of a scalar parameter in one row."""
        return np.asarray(self.draws[name]).reshape(-1)


Engine = Callable[[Task, Sampling], Fit]
ENGINES: Registry[Engine] = Registry("engine")


def fit(
    frame: pd.DataFrame,
    glm: Glm,
    *,
    engine: str = "hmc",
    priors: str = "brms",
    sampling: Sampling | None = None,
    aggregate: bool = True,
) -> Fit:
    """Fit ``glm`` to the words in ``frame``.

    Raises NotEstimableError, with the reason, where the data cannot tell the effects. ``aggregate``
    merges identical rows, which changes the speed and nothing else.
    """
    import scandl_analysis.glm.engines  # noqa: F401  (registers them)

    run = ENGINES[engine]
    if glm.correlated and engine not in ("nutpie", "mle", "mle-robust"):
        raise ScandlError(
            f"{glm.formula}: engine {engine} has no correlated group effects; take || or engine nutpie"
        )
    design = build_design(frame, glm, aggregate=aggregate and not glm.correlated)
    resolved = resolve(priors, glm, design)
    if not resolved.bound_slopes:
        check_separation(glm.family, design)
    sampling = sampling or Sampling()
    found = run(Task(glm, frame, design, resolved), sampling)
    if not _complete(found, sampling):
        raise KeyboardInterrupt  # samplers keep it to themselves and return what they had
    return found


def _complete(found: Fit, sampling: Sampling) -> bool:
    """Return whether every draw that was asked for is there."""
    return all(
        draws.shape[:2] == (sampling.chains, sampling.draws) and bool(np.isfinite(draws).all())
        for draws in found.draws.values()
    )


def effect_in(level: str, predictor: str) -> str:
    """Return the name of a predictor's whole effect in one level of a factor, under ``Fit.gaussian``.

    >>> effect_in("source[swift]", "surprisal")
    'surprisal in source[swift]'
    """
    return f"{predictor} in {level}"


def named_draws(task: Task, hyper: Floats, effects: Floats) -> dict[str, Floats]:
    """Return draws (chain, draw, parameter) of a posterior's vectors by their names."""
    design = task.design
    n_terms = len(design.terms)
    slopes = effects[..., 1 : 1 + n_terms]
    draws = {"Intercept": effects[..., 0] - slopes @ design.x_mean}
    draws |= {name: slopes[..., k] for k, name in enumerate(design.terms)}
    place = 1 + n_terms
    for k, group in enumerate(design.groups):
        draws[f"{group.name}_sigma"] = np.exp(hyper[..., k])
        draws[group.name] = effects[..., place : place + len(group.levels)]
        place += len(group.levels)
    if task.priors.shape is not None:
        draws[SHAPE_NAMES[task.glm.family]] = np.exp(hyper[..., -1])
    return draws


def make_fit(
    task: Task,
    engine: str,
    draws: Mapping[str, Floats],
    *,
    stats: Mapping[str, Floats] | None = None,
    gaussian: Mapping[str, tuple[float, float]] | None = None,
    freedom: int | None = None,
    note: str = "",
) -> Fit:
    """Return the record of a finished fit."""
    levels = {group.name: group.levels for group in task.design.groups}
    table = task.priors.table(task.design)
    return Fit(
        task.glm,
        engine,
        task.priors.name,
        table,
        task.design.n_rows,
        draws,
        levels,
        stats or {},
        gaussian or {},
        freedom,
        note,
    )


def check_engine(engine: str) -> None:
    """Raise if a package is missing that the engine would import after minutes; quick looks need none.

    >>> check_engine("laplace")
    """
    check_installed(*_NEEDED.get(engine, ()), extra="analysis")


def check_netcdf() -> None:
    """Raise if a package is missing without which draws could not be written."""
    check_installed("xarray", "h5netcdf", "h5py", extra="analysis")

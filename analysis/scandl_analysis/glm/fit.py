"""One function that fits any model by any engine, and what each engine needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from scandl.errors import ScandlError
from scandl.extras import check_installed
from scandl.registry import Registry
from scandl_analysis.glm.design import build_design, check_separation
from scandl_analysis.glm.hmc import hmc, laplace
from scandl_analysis.glm.priors import resolve
from scandl_analysis.glm.reference import by_library
from scandl_analysis.glm.spec import Fit, Glm, Problem, Sampling

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Engine:
    """A way to the posterior, and the packages it imports."""

    run: Callable[[Problem, Sampling], Fit]
    needs: tuple[str, ...] = ()


ENGINES: Registry[Engine] = Registry("engine")
ENGINES.register("hmc")(Engine(hmc, ("arviz_stats",)))
ENGINES.register("laplace")(Engine(laplace))
for _library in ("pymc", "nutpie"):
    ENGINES.register(_library)(
        Engine(partial(by_library, library=_library), ("arviz_stats", "bambi", _library))
    )
CORRELATED = "nutpie"
"""The engine that has correlated group effects."""


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
    run = ENGINES[engine].run
    if glm.correlated and engine != CORRELATED:
        raise ScandlError(
            f"{glm.formula}: engine {engine} has no correlated group effects; take || or engine {CORRELATED}"
        )
    design = build_design(frame, glm, aggregate=aggregate and not glm.correlated)
    resolved = resolve(priors, glm, design)
    if not resolved.bound_slopes:
        check_separation(glm.family, design)
    sampling = sampling or Sampling()
    fitted = run(Problem(glm, frame, design, resolved), sampling)
    if not _complete(fitted, sampling):
        raise KeyboardInterrupt  # samplers keep it to themselves and return what they had
    return fitted


def _complete(fitted: Fit, sampling: Sampling) -> bool:
    """Return whether every draw that was asked for is there."""
    return all(
        draws.shape[:2] == (sampling.chains, sampling.draws) and bool(np.isfinite(draws).all())
        for draws in fitted.draws.values()
    )


def check_engine(engine: str) -> None:
    """Raise if there is no such engine, or no package that it would import after minutes.

    >>> check_engine("laplace")
    """
    check_installed(*ENGINES[engine].needs, extra="analysis")


def check_netcdf() -> None:
    """Raise if a package is missing without which draws could not be written."""
    check_installed("xarray", "h5netcdf", "h5py", extra="analysis")

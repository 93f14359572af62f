"""Everything we take from ArviZ, of the generation that is installed: diagnostics and InferenceData.

Two generations are in use: ArviZ before 1.0, with PyMC 5, on Python 3.11, and ArviZ from 1.0 on, with
PyMC 6, on later Pythons. Their top-level functions differ. The array functions of ``arviz_stats``
are the same in both, so every diagnostic comes from there; drawn values are a group of an
InferenceData in the first and a node of an xarray DataTree in the second.

Draws have the shape (chain, draw).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from scandl.extras import need
from scandl_analysis.glm.kernels import Floats

if TYPE_CHECKING:
    import xarray

TAILS = (0.05, 0.95)
"""The quantiles whose effective sample size is that of the tails (Vehtari et al., 2021)."""


def rhat(draws: Floats) -> float:
    """Return the rank-normalised split R-hat.

    >>> alike = np.random.default_rng(1).normal(size=(4, 1000))
    >>> round(rhat(alike), 2), rhat(alike + np.arange(4)[:, None]) > 1.5  # chains that stay apart
    (1.0, True)
    """
    return float(_arrays().rhat(draws, chain_axis=0, draw_axis=1))


def effective_sample_size(draws: Floats, method: Literal["bulk", "tail"] = "bulk") -> float:
    """Return as how many independent draws these count, for the bulk or the tails of the posterior."""
    prob = TAILS if method == "tail" else None
    return float(_arrays().ess(draws, chain_axis=0, draw_axis=1, method=method, prob=prob))


def bfmi(energy: Floats) -> float:
    """Return the smallest Bayesian fraction of missing information of the chains."""
    return float(np.min(_arrays().bfmi(energy, chain_axis=0, draw_axis=1)))


def pareto_k(log_ratios: Floats) -> float:
    """Return the shape of the importance ratios' right tail; infinite if a ratio is not a number."""
    if not np.all(np.isfinite(log_ratios)):
        return float("inf")
    # It expects log likelihoods, as leave-one-out cross-validation has them: minus the log ratios.
    return float(_arrays().psislw(-log_ratios)[1])


def inference_data(posterior: xarray.Dataset) -> Any:
    """Return draws as the installed ArviZ keeps them: an InferenceData, or from 1.0 on a DataTree."""
    arviz = need("arviz", "analysis")
    convert = getattr(arviz, "convert_to_datatree", None) or arviz.convert_to_inference_data
    return convert(posterior, group="posterior")


def write_netcdf(posterior: xarray.Dataset, path: Path) -> None:
    """Write draws as netCDF that ``arviz.from_netcdf`` of either generation reads."""
    packed = {str(name): {"zlib": True} for name in posterior.data_vars}
    posterior.to_netcdf(path, group="posterior", engine="h5netcdf", encoding=packed)


def _arrays() -> Any:
    return need("arviz_stats.base", "analysis").array_stats

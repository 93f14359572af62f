"""Whether the sampler can be believed: R-hat, effective sample sizes, energy, divergences.

What we take from ArviZ, of the generation that is installed, is here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from scandl.extras import need
from scandl.statistics.bootstrap import Floats
from scandl_analysis.glm.pooling import rubin
from scandl_analysis.glm.spec import Fit

if TYPE_CHECKING:
    import xarray

WORST_RHAT = 1.01
FEWEST = 400
WORST_BFMI = 0.3
DEEPEST = 10
MOST_LEVELS = 500  # levels of a group that are looked at, evenly spaced: 5 ms each
FEWEST_DRAWS = 4  # of a chain, from which R-hat and effective sample size are defined

TAILS = (0.05, 0.95)
"""The quantiles whose effective sample size is that of the tails (Vehtari et al., 2021)."""


@dataclass(frozen=True, slots=True)
class Summary:
    """One parameter: posterior mean, sd, 95 % equal-tailed interval, and how well they are known."""

    mean: float
    sd: float
    ci_low: float
    ci_high: float
    rhat: float = float("nan")
    ess_bulk: float = float("nan")
    ess_tail: float = float("nan")
    missing_information: float = float("nan")  # of imputed words: the share that is due to what was lost


def summarise(fit: Fit) -> dict[str, Summary]:
    """Return the summary of every scalar parameter, by name."""
    scalars = {name: draws for name, draws in fit.draws.items() if draws.ndim == 2}
    return {name: summarise_draws(draws, fit) for name, draws in scalars.items()}


def summarise_draws(draws: Floats, fit: Fit | None = None) -> Summary:
    """Return the summary of draws (chain, draw), computed from those of a fit if they are.

    Of imputed words it is that of Rubin's rules.
    """
    versions, sampled = 1 if fit is None else fit.versions, (float("nan"),) * 3
    if fit is None or fit.has_chains:
        sampled = convergence(draws, versions)
    if versions > 1:
        found = rubin(draws, versions)
        return Summary(found.mean, found.sd, *found.interval(), *sampled, found.missing_information)
    low, high = np.quantile(draws, [0.025, 0.975])
    return Summary(float(draws.mean()), float(draws.std(ddof=1)), float(low), float(high), *sampled)


def convergence(draws: Floats, versions: int = 1) -> tuple[float, float, float]:
    """Return R-hat, bulk ESS and tail ESS of draws (chain, draw); not a number where they are not known.

    Of several versions of imputed words R-hat is that of the worst, and their sample sizes are added.
    """
    if versions > 1:
        each = np.array([convergence(part) for part in np.split(draws, versions)])
        return float(each[:, 0].max()), float(each[:, 1].sum()), float(each[:, 2].sum())
    chains, length = draws.shape
    if length < FEWEST_DRAWS:
        return float("nan"), float("nan"), float("nan")
    return (
        rhat(draws) if chains > 1 else float("nan"),
        effective_sample_size(draws, "bulk"),
        effective_sample_size(draws, "tail"),
    )


def largest_rhat(draws: Mapping[str, Floats]) -> float:
    """Return the largest R-hat of all parameters; not a number where it is not known."""
    chains, length = next(iter(draws.values())).shape[:2]
    whole = all(np.isfinite(each).all() for each in draws.values())  # an interrupted sampler leaves holes
    if chains < 2 or length < FEWEST_DRAWS or not whole:
        return float("nan")
    return max(rhat(column) for each in draws.values() for column in _looked_at(each))


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """How a fit was sampled: the worst of each parameter's chains, and what the sampler said of itself.

    What an engine does not know is None: energies of one that has none, everything of a quick look.
    What cannot be known of chains that were drawn (not a number) is a fault like a bad value.
    """

    parameters: Mapping[str, tuple[float, float, float]]  # R-hat, bulk and tail ESS; of a group the worst
    divergences: int | None = None
    e_bfmi: float | None = None
    saturated: int | None = None  # trajectories that reached the depth limit
    n_parameters: int | None = None  # looked at; of groups of more than 500 levels, 500 evenly spaced ones

    @property
    def warnings(self) -> list[str]:
        """What is wrong, one line each."""
        faults = []
        for name, (mixing, bulk, tail) in self.parameters.items():
            if np.isnan(mixing):
                faults.append(f"{name}: R-hat not known (one chain or too few draws)")
            elif mixing > WORST_RHAT:
                faults.append(f"{name}: R-hat {mixing:.3f}, at most {WORST_RHAT} is good")
            size = float(np.min([bulk, tail]))  # not a number if either is none
            if np.isnan(size):
                faults.append(f"{name}: effective sample size not known (too few draws)")
            elif size < FEWEST:
                faults.append(f"{name}: effective sample size {size:.0f}, at least {FEWEST} is good")
        if self.divergences:
            faults.append(f"{self.divergences} divergent transitions")
        if self.e_bfmi is not None and self.e_bfmi < WORST_BFMI:
            faults.append(f"E-BFMI {self.e_bfmi:.2f}, above {WORST_BFMI} is good")
        if self.saturated:
            faults.append(f"{self.saturated} trajectories reached the depth limit")
        return faults

    @property
    def row(self) -> dict[str, float | int | None]:
        """The worst numbers of the whole fit, as ``diagnostics.csv`` has them."""
        mixing, bulk, tail = zip(*self.parameters.values(), strict=True) if self.parameters else ((), (), ())
        return {
            "n_parameters": self.n_parameters,
            "rhat": _known(max, mixing),
            "ess_bulk": _known(min, bulk),
            "ess_tail": _known(min, tail),
            "divergences": self.divergences,
            "e_bfmi": self.e_bfmi,
            "saturated": self.saturated,
        }


def diagnose(fit: Fit) -> Diagnosis:
    """Look at the chains of a fit; there is nothing to see where an engine does not sample."""
    if not fit.has_chains:
        return Diagnosis({})
    worst, n_parameters = {}, 0
    for name, draws in fit.draws.items():
        each = np.array([convergence(column, fit.versions) for column in _looked_at(draws)])
        n_parameters += len(each)
        worst[name] = (float(each[:, 0].max()), float(each[:, 1].min()), float(each[:, 2].min()))
    stats = fit.stats
    energy = stats.get("energy")
    return Diagnosis(
        worst,
        int(stats["diverging"].sum()) if "diverging" in stats else None,
        bfmi(energy) if energy is not None and energy.shape[1] >= FEWEST_DRAWS else None,
        int((stats["tree_depth"] >= DEEPEST).sum()) if "tree_depth" in stats else None,
        n_parameters,
    )


def _looked_at(draws: Floats) -> list[Floats]:
    """Return the draws (chain, draw) of a parameter, or of a group's levels one by one."""
    columns = draws.reshape(*draws.shape[:2], -1)
    return [columns[..., k] for k in np.unique(np.linspace(0, columns.shape[2] - 1, MOST_LEVELS).astype(int))]


def _known(worst: Callable[[Sequence[float]], float], values: Sequence[float]) -> float | None:
    """Return the worst of some numbers, or None if there is none or one is not known."""
    return worst(values) if len(values) and not np.isnan(values).any() else None


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


def write_netcdf(posterior: xarray.Dataset, path: Path) -> None:
    """Write draws as netCDF that ``arviz.from_netcdf`` of either generation reads."""
    packed = {str(name): {"zlib": True} for name in posterior.data_vars}
    posterior.to_netcdf(path, group="posterior", engine="h5netcdf", encoding=packed)


def _arrays() -> Any:
    return need("arviz_stats.base", "analysis").array_stats

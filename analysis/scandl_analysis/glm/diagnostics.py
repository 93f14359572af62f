"""Whether the sampler can be believed: R-hat, effective sample sizes, energy, divergences.

Rank-normalised split R-hat and bulk and tail effective sample size are those of Vehtari et al. (2021).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scandl.extras import need
from scandl_analysis.glm.fit import Fit
from scandl_analysis.glm.kernels import Floats

WORST_RHAT = 1.01
FEWEST = 400
WORST_BFMI = 0.3
DEEPEST = 10
MOST_LEVELS = 50  # levels of a group that are looked at, evenly spaced: thousands would take minutes
NORMAL_95 = 1.959963984540054


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


def summarise(fit: Fit) -> dict[str, Summary]:
    """Return the summary of every scalar parameter, by name."""
    return {name: _summary(fit, name) for name, draws in fit.draws.items() if draws.ndim == 2}


def summarise_draws(draws: Floats, *, chains: bool = True) -> Summary:
    """Return the summary of draws (chain, draw); without ``chains`` they are known to be independent."""
    low, high = np.quantile(draws, [0.025, 0.975])
    known = (float(draws.mean()), float(draws.std(ddof=1)), float(low), float(high))
    return Summary(*known, *convergence(draws)) if chains else Summary(*known)


def convergence(draws: Floats) -> tuple[float, float, float]:
    """Return R-hat, bulk ESS and tail ESS of draws (chain, draw)."""
    arviz = need("arviz", "analysis")
    return (
        float(arviz.rhat(draws)),
        float(arviz.ess(draws, method="bulk")),
        float(arviz.ess(draws, method="tail")),
    )


def warnings_of(fit: Fit) -> list[str]:
    """Say what is wrong with the sampling; nothing for engines that do not sample."""
    if fit.gaussian or fit.engine == "laplace":
        return []
    found = []
    for name, draws in fit.draws.items():
        columns = draws.reshape(*draws.shape[:2], -1)
        looked_at = np.unique(np.linspace(0, columns.shape[2] - 1, MOST_LEVELS).astype(int))
        worst = np.array([convergence(columns[..., k]) for k in looked_at])
        if worst[:, 0].max() > WORST_RHAT:
            found.append(f"{name}: R-hat {worst[:, 0].max():.3f}, at most {WORST_RHAT} is good")
        if worst[:, 1:].min() < FEWEST:
            found.append(f"{name}: effective sample size {worst[:, 1:].min():.0f}, at least {FEWEST} is good")
    return found + _sampler_warnings(fit)


def _summary(fit: Fit, name: str) -> Summary:
    if name in fit.gaussian:
        mean, sd = fit.gaussian[name]
        return Summary(mean, sd, mean - NORMAL_95 * sd, mean + NORMAL_95 * sd)
    return summarise_draws(fit.draws[name], chains=fit.engine != "laplace")


def _sampler_warnings(fit: Fit) -> list[str]:
    found = []
    if "diverging" in fit.stats and fit.stats["diverging"].any():
        found.append(f"{int(fit.stats['diverging'].sum())} divergent transitions")
    if "energy" in fit.stats:
        bfmi = float(np.min(need("arviz", "analysis").bfmi(fit.stats["energy"])))
        if bfmi < WORST_BFMI:
            found.append(f"E-BFMI {bfmi:.2f}, above {WORST_BFMI} is good")
    if "tree_depth" in fit.stats:
        saturated = int((fit.stats["tree_depth"] >= DEEPEST).sum())
        if saturated:
            found.append(f"{saturated} trajectories reached the depth limit")
    return found

"""The engine ``imh``: independence Metropolis–Hastings with the Laplace approximation as proposal.

Deviations of few groups have a long right tail, so the hyper-parameters are proposed from Student-t
distributions and only the effects from the normal approximation. The draws are exact, and come very
fast where the approximation is good; that is measured by Pareto's k-hat of the importance ratios
(Vehtari et al., 2024), and from 0.7 on the fit is handed to ``nuts``. So is a fit in which a chain
stood still for long: k-hat is a mean over the tail, and one far point is enough to hold a chain.
"""

from __future__ import annotations

import numpy as np

from scandl.seeds import stream
from scandl_analysis.glm.design import Indices
from scandl_analysis.glm.diagnostics import pareto_k
from scandl_analysis.glm.engines import nuts
from scandl_analysis.glm.fit import ENGINES, Fit, Sampling, Task, make_fit, named_draws
from scandl_analysis.glm.kernels import Floats
from scandl_analysis.glm.laplace import Laplace, approximate
from scandl_analysis.glm.posterior import Posterior

WORST_K = 0.7
TAIL = 5.0
"""Degrees of freedom of the hyper-parameters' proposal."""
LONGEST_STAY, LONGEST_SHARE = 20, 0.03


@ENGINES.register("imh")
def imh(task: Task, sampling: Sampling) -> Fit:
    """Draw from the exact posterior if its approximation allows, otherwise by ``nuts``."""
    laplace = approximate(Posterior(task.glm, task.design, task.priors))
    rng = stream(sampling.seed, "imh")
    z = rng.normal(size=(sampling.chains, sampling.draws, laplace.n_dim))
    q = len(laplace.hyper)
    z[..., :q] = rng.standard_t(TAIL, size=(*z.shape[:2], q))
    ratios = np.array([[_log_ratio(laplace, point) for point in chain] for chain in z])
    k_hat = pareto_k(ratios.reshape(-1))
    if not k_hat < WORST_K:
        return nuts.sample(task, laplace, sampling, note=f"imh declined: k-hat {k_hat:.2f}")
    kept = np.stack([accept(chain, rng) for chain in ratios])
    if (stay := longest_stay(kept)) > max(LONGEST_STAY, LONGEST_SHARE * sampling.draws):
        return nuts.sample(task, laplace, sampling, note=f"imh declined: stood still {stay} draws")
    chosen = np.take_along_axis(z, kept[:, :, None], axis=1)
    draws = named_draws(task, *laplace.parameters(chosen))
    return make_fit(task, "imh", draws, note=f"k-hat {k_hat:.2f}")


def accept(log_ratios: Floats, rng: np.random.Generator) -> Indices:
    """Return for each step of a chain which proposal it stands on.

    >>> accept(np.array([0.0, -1e9, 5.0]), np.random.default_rng(1)).tolist()
    [0, 0, 2]
    """
    where = np.zeros(len(log_ratios), dtype=np.int64)
    thresholds = np.log(rng.uniform(size=len(log_ratios)))
    for t in range(1, len(where)):
        last = where[t - 1]
        where[t] = t if log_ratios[t] - log_ratios[last] > thresholds[t] else last
    return where


def longest_stay(kept: Indices) -> int:
    """Return the longest time that a chain (row) stood on one proposal.

    >>> longest_stay(np.array([[0, 1, 1, 1], [0, 0, 2, 3]]))
    3
    """
    return max(int(np.bincount(chain).max()) for chain in kept)


def _log_ratio(laplace: Laplace, z: Floats) -> float:
    """Return log posterior minus log proposal, up to a constant."""
    hyper, effects = np.split(z, [len(laplace.hyper)])
    log_proposal = -0.5 * float(effects @ effects) - 0.5 * (TAIL + 1) * float(np.log1p(hyper**2 / TAIL).sum())
    with np.errstate(all="ignore"):
        value, _ = laplace.value_and_gradient(z)
    return value - laplace.log_marginal - log_proposal

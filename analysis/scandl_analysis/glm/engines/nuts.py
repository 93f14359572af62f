"""The engine ``nuts``: nutpie's No-U-Turn sampler in coordinates whitened by the Laplace approximation.

The density is exact; the approximation only chooses the coordinates, so a poor one costs time and
never correctness. Its dense metric is what adaptation spends most of its effort on (the ridge between
the intercept and the mean of the readers), so little warm-up is left to do: the step size.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from scandl.extras import need
from scandl.seeds import stream
from scandl_analysis.glm.diagnostics import WORST_RHAT, largest_rhat
from scandl_analysis.glm.fit import ENGINES, Fit, Sampling, Task, make_fit, named_draws
from scandl_analysis.glm.kernels import Floats
from scandl_analysis.glm.laplace import Laplace, approximate
from scandl_analysis.glm.posterior import Posterior

TUNE = 100
FEW_LEVELS, MANY_GROUPS, CAREFUL, ACCEPT = 20, 3, 0.9, 0.8
"""Levels below which a deviation is poorly known, groups from which on one of them may be 0, and the
acceptance to aim at in these cases and otherwise.

Where σ is near 0 the intercept is known better than its coordinate says, which needs shorter steps; in
crossed designs they cost nothing, because trajectories of as many steps end nearer to a quarter turn.
"""
_FARTHEST = 50.0
"""Whitened coordinates beyond this are a trajectory that has left the posterior."""


@ENGINES.register("nuts")
def nuts(task: Task, sampling: Sampling) -> Fit:
    """Draw from the exact posterior."""
    laplace = approximate(Posterior(task.glm, task.design, task.priors))
    return sample(task, laplace, sampling)


def sample(task: Task, laplace: Laplace, sampling: Sampling, note: str = "") -> Fit:
    """Draw, and where the chains disagree draw again, twice as long, and keep every second draw.

    Of a thousand draws the largest R-hat of many readers is above 1.01 now and then by chance. Longer
    chains tell chance from chains that stay apart, which remain marked.
    """
    every = 1
    while True:
        trace = _trace(task, laplace, sampling, sampling.draws * every)
        draws = named_draws(task, *laplace.parameters(trace.posterior["z"].values[:, every - 1 :: every]))
        if not (largest_rhat(draws) > WORST_RHAT and 2 * every <= sampling.patience):
            break
        every *= 2
    if every > 1:
        kept = f"one draw in {every} kept of {sampling.draws * every:,} a chain"
        note = "; ".join(filter(None, (note, kept)))
    names = {"diverging": "diverging", "energy": "energy", "depth": "tree_depth", "n_steps": "n_steps"}
    stats = {new: trace.sample_stats[old].values for old, new in names.items() if old in trace.sample_stats}
    return make_fit(task, "nuts", draws, stats=stats, note=note)


def _trace(task: Task, laplace: Laplace, sampling: Sampling, draws: int) -> Any:
    """Run the sampler from points drawn from the approximation."""
    nutpie, compiled = need("nutpie", "analysis"), need("nutpie.compiled_pyfunc", "analysis")
    n = laplace.n_dim
    model = compiled.from_pyfunc(
        n,
        lambda: _density(laplace),
        lambda *_: _identity,
        [np.dtype(np.float64)],
        [(n,)],
        ["z"],
        make_initial_point_fn=lambda seed: np.random.default_rng(seed).normal(size=n),
    )
    return nutpie.sample(
        model,
        draws=draws,
        tune=TUNE if sampling.tune is None else sampling.tune,
        chains=sampling.chains,
        cores=1,
        seed=int(stream(sampling.seed, "nuts").integers(2**31)),
        save_warmup=False,
        progress_bar=False,
        target_accept=_acceptance(task),
    )


def _acceptance(task: Task) -> float:
    groups = task.design.groups
    few = any(len(group.levels) < FEW_LEVELS for group in groups)
    return CAREFUL if few or len(groups) >= MANY_GROUPS else ACCEPT


def _density(laplace: Laplace) -> Callable[[Floats], tuple[float, Floats]]:
    def log_density(z: Floats) -> tuple[float, Floats]:
        if not np.abs(z).max() < _FARTHEST:
            return -np.inf, np.zeros(len(z))
        with np.errstate(all="ignore"):  # what overflows is rejected as a divergence
            return laplace.value_and_gradient(z)

    return log_density


def _identity(z: Floats) -> dict[str, Floats]:
    return {"z": z}

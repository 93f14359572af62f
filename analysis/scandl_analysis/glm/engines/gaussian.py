"""The engine ``laplace``: draws from the approximation itself. A quick look, not the posterior."""

from __future__ import annotations

from scandl.seeds import stream
from scandl_analysis.glm.fit import ENGINES, Fit, Sampling, Task, make_fit, named_draws
from scandl_analysis.glm.laplace import approximate
from scandl_analysis.glm.posterior import Posterior

NOTE = "quick look: Laplace approximation, not the posterior"


@ENGINES.register("laplace")
def laplace(task: Task, sampling: Sampling) -> Fit:
    """Draw independently from the Laplace approximation."""
    found = approximate(Posterior(task.glm, task.design, task.priors))
    z = stream(sampling.seed, "laplace").normal(size=(sampling.chains, sampling.draws, found.n_dim))
    return make_fit(task, "laplace", named_draws(task, *found.parameters(z)), note=NOTE)

"""The engines ``mle`` and ``mle-robust``: maximum likelihood without group terms. A quick look.

``mle`` has the model's own standard errors; ``mle-robust`` the sandwich ones, clustered by the first
group of the model (readers) or, without one, by sentence. Sandwich errors of few clusters are uncertain
themselves, so the intervals are those of a t distribution with one degree of freedom less than clusters.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from scandl.errors import ScandlError
from scandl.seeds import stream
from scandl_analysis.glm.design import Design, NotEstimableError, build_design, check_separation
from scandl_analysis.glm.fit import ENGINES, Fit, Sampling, Task, effect_in, make_fit
from scandl_analysis.glm.kernels import Floats
from scandl_analysis.glm.laplace import Laplace, approximate
from scandl_analysis.glm.posterior import Posterior
from scandl_analysis.glm.priors import Prior, Priors
from scandl_analysis.glm.spec import Glm

if TYPE_CHECKING:
    import pandas as pd

NOTE = "quick look: maximum likelihood without group terms, not the paper's method"


@ENGINES.register("mle")
def mle(task: Task, sampling: Sampling) -> Fit:
    """Maximise the likelihood; standard errors from the curvature."""
    plain = _without_groups(task)
    found = _maximum(plain)
    covariance = np.asarray(np.linalg.inv(found.curvature.border), dtype=np.float64)
    return _report(plain, "mle", found.effects, covariance, sampling, NOTE)


@ENGINES.register("mle-robust")
def mle_robust(task: Task, sampling: Sampling) -> Fit:
    """Maximise the likelihood; standard errors robust to dependence within a cluster."""
    by = task.glm.factors[0] if task.glm.factors else "sentence_id"
    if by not in task.frame.columns:
        raise ScandlError(f"{task.glm.formula}: robust standard errors need a column {by!r}")
    plain = _without_groups(task)
    kept = task.frame.dropna(subset=list(plain.glm.columns))
    n_clusters = _fewest_clusters(kept, plain.glm, by)
    clustered = build_design(kept, replace(plain.glm, groups=(by,)), aggregate=False)
    found = _maximum(plain)
    bread = np.linalg.inv(found.curvature.border)
    covariance = bread @ _meat(clustered, found) @ bread
    return _report(
        plain,
        "mle-robust",
        found.effects,
        covariance,
        sampling,
        f"{NOTE}; clustered by {by}",
        freedom=n_clusters - 1,
    )


def _without_groups(task: Task) -> Task:
    if task.glm.family not in ("bernoulli", "poisson"):
        raise ScandlError("maximum likelihood is offered for bernoulli and poisson only")
    glm = replace(task.glm, groups=(), slopes=())
    design = build_design(task.frame, glm)
    check_separation(glm.family, design)  # whatever the priors, they are not used
    flat = Prior("Flat", {})
    return Task(glm, task.frame, design, Priors("none", flat, (flat,) * len(design.terms), ()))


def _maximum(task: Task) -> Laplace:
    return approximate(Posterior(task.glm, task.design, task.priors))


def _fewest_clusters(frame: pd.DataFrame, glm: Glm, by: str) -> int:
    """Return the number of clusters; of a model of several sources, that of the source with fewest.

    Raises NotEstimableError where the scores of clusters, which sum to 0, cannot span the coefficients.
    """
    sources = {"": frame} if glm.by is None else {f" in {s}": part for s, part in frame.groupby(glm.by)}
    counts = {where: int(part[by].nunique()) for where, part in sources.items()}
    where = min(counts, key=lambda name: counts[name])
    k = 1 + len(glm.predictors)
    if counts[where] <= k:
        raise NotEstimableError(
            f"not estimable: errors clustered by {by} need more than {k} of them, there are"
            f" {counts[where]}{where}"
        )
    return counts[where]


def _meat(design: Design, found: Laplace) -> Floats:
    """Return the sum over clusters of the outer product of their scores, with the small-sample factor."""
    (group,) = design.groups
    x = np.column_stack([np.ones(design.n_rows), design.x])
    residual = design.outcome - _mean(found, x)
    scores = np.stack([np.bincount(group.index, residual * column) for column in x.T])  # (p + 1, clusters)
    n = len(group.levels)
    return np.asarray(scores @ scores.T * (n / (n - 1)))


def _mean(found: Laplace, x: Floats) -> Floats:
    eta = x @ found.effects
    bernoulli = type(found.posterior.likelihood).__name__ == "Bernoulli"
    return np.asarray(1 / (1 + np.exp(-eta)) if bernoulli else np.exp(eta))


def _report(
    task: Task,
    engine: str,
    centred: Floats,
    covariance: Floats,
    sampling: Sampling,
    note: str,
    freedom: int | None = None,
) -> Fit:
    """Return the estimates for the predictors as they came, with normal or t draws around them."""
    names = ("Intercept", *task.design.terms)
    back = np.eye(len(names))
    back[0, 1:] = -task.design.x_mean
    estimate, covariance = back @ centred, back @ covariance @ back.T
    deviation = np.sqrt(np.diag(covariance))
    rng = stream(sampling.seed, engine)
    z = rng.normal(size=(sampling.chains, sampling.draws, len(names)))
    if freedom is not None:
        z /= np.sqrt(rng.chisquare(freedom, size=(*z.shape[:2], 1)) / freedom)
    drawn = estimate + z @ np.linalg.cholesky(covariance).T
    draws = {name: drawn[..., k] for k, name in enumerate(names)}
    gaussian = {name: (float(estimate[k]), float(deviation[k])) for k, name in enumerate(names)}
    for interaction in (name for name in names if ":" in name):  # the effect in a level of the factor
        level, _, predictor = interaction.rpartition(":")
        sum_of = np.isin(names, (predictor, interaction)).astype(float)
        gaussian[effect_in(level, predictor)] = (
            float(sum_of @ estimate),
            float(np.sqrt(sum_of @ covariance @ sum_of)),
        )
    return make_fit(task, engine, draws, gaussian=gaussian, freedom=freedom, note=note)

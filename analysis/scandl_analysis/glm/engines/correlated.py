"""Models whose group effects are correlated, built in PyMC: bambi has uncorrelated ones only.

The correlations have brms's prior, LKJ(1); everything else is as in the other engines. Slow: there is
no whitening, so it serves where correlations are asked for and nowhere else.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scandl.errors import ScandlError
from scandl.extras import need
from scandl_analysis.glm.design import Design, Group
from scandl_analysis.glm.fit import SHAPE_NAMES, Task
from scandl_analysis.glm.kernels import Floats
from scandl_analysis.glm.priors import Prior


def correlated_model(task: Task) -> Any:
    """Return the PyMC model of a task; nothing is sampled."""
    pymc = need("pymc", "analysis")
    design = task.design
    with pymc.Model() as model:
        eta = _variable(pymc, "centred intercept", task.priors.intercept)
        for k, (name, prior) in enumerate(zip(design.terms, task.priors.slopes, strict=True)):
            eta = eta + _variable(pymc, name, prior) * design.x[:, k]
        for factor in task.glm.factors:
            eta = eta + _group_effects(pymc, task, factor)
        _outcome(pymc, task, eta)
    return model


def draws_of(trace: Any, task: Task) -> dict[str, Floats]:
    """Return the draws under the names the other engines use, and the correlations."""
    design, posterior = task.design, trace.posterior
    slopes = np.stack([posterior[name].values for name in design.terms], axis=-1) if design.terms else 0.0
    shift = slopes @ design.x_mean if design.terms else 0.0
    draws = {"Intercept": posterior["centred intercept"].values - shift}
    draws |= {name: posterior[name].values for name in design.terms}
    for factor in task.glm.factors:
        groups = _of_factor(design, factor)
        sigma, effects = (posterior[f"{what} {factor}"].values for what in ("sd", "effects"))
        for k, group in enumerate(groups):
            draws[f"{group.name}_sigma"] = sigma[..., k]
            draws[group.name] = effects[..., k]
        if factor in task.glm.correlated:
            rho = posterior[f"correlation {factor}"].values
            pairs = [(i, j) for i in range(len(groups)) for j in range(i)]
            names = [group.predictor or "1" for group in groups]
            draws |= {f"cor({names[i]}, {names[j]}|{factor})": rho[..., i, j] for i, j in pairs}
    if task.priors.shape is not None:
        name = SHAPE_NAMES[task.glm.family]
        draws[name] = posterior[name].values
    return draws


def _group_effects(pymc: Any, task: Task, factor: str) -> Any:
    """Return what a factor adds to each row's linear predictor."""
    groups = _of_factor(task.design, factor)
    priors = {g.name: p for g, p in zip(task.design.groups, task.priors.deviations, strict=True)}
    shape = (len(groups[0].levels), len(groups))
    standard = pymc.Normal(f"standard {factor}", shape=shape)
    if factor in task.glm.correlated:
        root, rho, sd = pymc.LKJCholeskyCov(
            f"root {factor}",
            n=len(groups),
            eta=1.0,
            sd_dist=_distribution(pymc, priors[groups[0].name]),
            compute_corr=True,
        )
        pymc.Deterministic(f"sd {factor}", sd)
        pymc.Deterministic(f"correlation {factor}", rho)
        effects = pymc.math.dot(standard, root.T)
    else:
        sd = pymc.math.stack([_variable(pymc, f"sd {group.name}", priors[group.name]) for group in groups])
        pymc.Deterministic(f"sd {factor}", sd)
        effects = standard * sd
    effects = pymc.Deterministic(f"effects {factor}", effects)
    return sum(
        effects[group.index, k] * (1.0 if group.values is None else group.values)
        for k, group in enumerate(groups)
    )


def _outcome(pymc: Any, task: Task, eta: Any) -> None:
    family, y = task.glm.family, task.design.total
    if (task.design.trials != 1).any():
        raise ScandlError("correlated effects need rows that are not merged")
    if family == "bernoulli":
        pymc.Bernoulli("outcome", logit_p=eta, observed=y)
    elif family == "poisson":
        pymc.Poisson("outcome", mu=pymc.math.exp(eta), observed=y)
    else:
        assert task.priors.shape is not None
        shape = _variable(pymc, SHAPE_NAMES[family], task.priors.shape)
        if family == "negativebinomial":
            pymc.NegativeBinomial("outcome", mu=pymc.math.exp(eta), alpha=shape, observed=y)
        else:
            pymc.Normal("outcome", mu=eta, sigma=shape, observed=y)


def _of_factor(design: Design, factor: str) -> list[Group]:
    return [group for group in design.groups if group.factor == factor]


def _variable(pymc: Any, name: str, prior: Prior) -> Any:
    return getattr(pymc, prior.name)(name, **prior.values)


def _distribution(pymc: Any, prior: Prior) -> Any:
    return getattr(pymc, prior.name).dist(**prior.values)

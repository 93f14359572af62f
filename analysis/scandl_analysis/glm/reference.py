"""The engines ``pymc`` and ``nutpie``: the same model built by bambi, or in PyMC where slopes are correlated.

Slow and independent of our own density: what the fast engine is checked against. bambi has uncorrelated
group effects only. Correlations have brms's prior, LKJ(1), and are sampled by nutpie.
"""

from __future__ import annotations

import logging
from typing import Any

import numpy as np

from scandl.errors import ScandlError
from scandl.extras import need
from scandl.seeds import stream
from scandl.statistics.bootstrap import Floats
from scandl_analysis.glm.design import Design, GroupEffects, by_levels
from scandl_analysis.glm.priors import Prior
from scandl_analysis.glm.spec import SHAPE_NAMES, TIMES, Fit, Glm, Problem, Sampling, make_fit

TUNE = 1000
_STATS = {"diverging": "diverging", "energy": "energy", "tree_depth": "tree_depth", "depth": "tree_depth"}


def by_library(problem: Problem, sampling: Sampling, *, library: str) -> Fit:
    """Sample a model by a library; one with correlated effects by nutpie."""
    seed = int(stream(sampling.seed, library).integers(2**31))
    amount = {
        "draws": sampling.draws,
        "tune": TUNE if sampling.tune is None else sampling.tune,
        "chains": sampling.chains,
        "cores": 1,
    }
    if problem.glm.correlated:
        nutpie = need("nutpie", "analysis")
        compiled = nutpie.compile_pymc_model(correlated_model(problem))
        trace = nutpie.sample(compiled, **amount, seed=seed, progress_bar=False)
        draws = _correlated_draws(trace.posterior, problem)
    else:
        quiet = {"progress_bar" if library == "nutpie" else "progressbar": False}
        trace = bambi_model(problem).fit(**amount, inference_method=library, random_seed=seed, **quiet)
        levels = {group.name: group.levels for group in problem.design.groups}
        draws = {name: _values(trace.posterior, name, levels) for name in _names(problem)}
    stats = {new: trace.sample_stats[old].values for old, new in _STATS.items() if old in trace.sample_stats}
    return make_fit(problem, library, draws, stats=stats)


def bambi_model(problem: Problem, *, noncentered: bool = True) -> Any:
    """Return the bambi model of a problem; nothing is sampled."""
    bambi = need("bambi", "analysis")
    glm = problem.glm
    frame = problem.frame.dropna(subset=list(glm.columns))[list(glm.columns)].copy()
    pandas = need("pandas", "analysis")
    for name in glm.factors:
        frame[name] = frame[name].astype(str)
    if glm.family == "lognormal":  # bambi has no such family: the same density, of the logarithm
        frame[glm.measure] = np.log(frame[glm.measure])
    if glm.by is not None:
        frame[glm.by] = pandas.Categorical(frame[glm.by].astype(str), by_levels(frame, glm.by), ordered=True)
    logging.getLogger("bambi").setLevel(logging.WARNING)  # it announces which outcome counts as success
    model = bambi.Model(
        _bambi_formula(glm),
        frame,
        family="gaussian" if glm.family in TIMES else glm.family,
        priors=_priors(problem, bambi),
        noncentered=noncentered,
        center_predictors=True,
    )
    model.build()
    return model


def _priors(problem: Problem, bambi: Any) -> dict[str, Any]:
    """Return the resolved priors as bambi's, by its names of the terms."""

    def prior(one: Prior) -> Any:
        return bambi.Prior(one.name, **one.values)

    priors = {"Intercept": prior(problem.priors.intercept)}
    for name, one in zip(problem.design.terms, problem.priors.slopes, strict=True):
        priors[_bambi_name(name)] = prior(one)
    for group, one in zip(problem.design.groups, problem.priors.deviations, strict=True):
        priors[group.name] = bambi.Prior("Normal", mu=0, sigma=prior(one))
    if problem.priors.shape is not None:
        priors[SHAPE_NAMES[problem.glm.family]] = prior(problem.priors.shape)
    return priors


def _bambi_formula(glm: Glm) -> str:
    """Return the formula for bambi, whose group effects are uncorrelated by ``|`` already.

    >>> from scandl_analysis.glm.spec import Slope
    >>> _bambi_formula(Glm("FFD", "lognormal", ("x",), ("reader",), slopes=(Slope("x", "reader"),)))
    'FFD ~ x + (1 + x|reader)'
    """
    return glm.formula.replace("||", "|").replace(f"log({glm.measure})", glm.measure, 1)


def _bambi_name(term: str) -> str:
    """Return bambi's name of a term: the level of a factor stands in a coordinate there.

    >>> _bambi_name("source[uniform]:surprisal")
    'source:surprisal'
    """
    head, bracket, tail = term.partition("[")
    return head + tail.partition("]")[2] if bracket else term


def _names(problem: Problem) -> list[str]:
    names = ["Intercept", *problem.design.terms]
    for group in problem.design.groups:
        names += [f"{group.name}_sigma", group.name]
    return names + ([SHAPE_NAMES[problem.glm.family]] if problem.priors.shape is not None else [])


def _values(posterior: Any, name: str, levels: dict[str, tuple[str, ...]]) -> Any:
    draws = posterior[_bambi_name(name)]
    if name in levels:
        return draws.sel({f"{name.partition('|')[2]}__factor_dim": list(levels[name])}).values
    if draws.ndim > 2:  # a factor: one of its levels, the reference is not among them
        level = name.partition("[")[2].partition("]")[0]
        draws = draws.sel({draws.dims[2]: level})
    return np.asarray(draws.values)


def correlated_model(problem: Problem) -> Any:
    """Return the PyMC model of a problem; nothing is sampled."""
    pymc = need("pymc", "analysis")
    design = problem.design
    with pymc.Model() as model:
        eta = _variable(pymc, "centred intercept", problem.priors.intercept)
        for k, (name, prior) in enumerate(zip(design.terms, problem.priors.slopes, strict=True)):
            eta = eta + _variable(pymc, name, prior) * design.x[:, k]
        for factor in problem.glm.factors:
            eta = eta + _group_effects(pymc, problem, factor)
        _outcome(pymc, problem, eta)
    return model


def _correlated_draws(posterior: Any, problem: Problem) -> dict[str, Floats]:
    """Return the draws under the names the other engines use, and the correlations."""
    design = problem.design
    slopes = np.stack([posterior[name].values for name in design.terms], axis=-1) if design.terms else 0.0
    shift = slopes @ design.x_mean if design.terms else 0.0
    draws = {"Intercept": posterior["centred intercept"].values - shift}
    draws |= {name: posterior[name].values for name in design.terms}
    for factor in problem.glm.factors:
        groups = _of_factor(design, factor)
        sigma, effects = (posterior[f"{what} {factor}"].values for what in ("sd", "effects"))
        for k, group in enumerate(groups):
            draws[f"{group.name}_sigma"] = sigma[..., k]
            draws[group.name] = effects[..., k]
        if factor in problem.glm.correlated:
            rho = posterior[f"correlation {factor}"].values
            pairs = [(i, j) for i in range(len(groups)) for j in range(i)]
            names = [group.predictor or "1" for group in groups]
            draws |= {f"cor({names[i]}, {names[j]}|{factor})": rho[..., i, j] for i, j in pairs}
    if problem.priors.shape is not None:
        name = SHAPE_NAMES[problem.glm.family]
        draws[name] = posterior[name].values
    return draws


def _group_effects(pymc: Any, problem: Problem, factor: str) -> Any:
    """Return what a factor adds to each row's linear predictor."""
    groups = _of_factor(problem.design, factor)
    priors = {g.name: p for g, p in zip(problem.design.groups, problem.priors.deviations, strict=True)}
    shape = (len(groups[0].levels), len(groups))
    standard = pymc.Normal(f"standard {factor}", shape=shape)
    if factor in problem.glm.correlated:
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


def _outcome(pymc: Any, problem: Problem, eta: Any) -> None:
    family, y = problem.glm.family, problem.design.total
    if (problem.design.trials != 1).any():
        raise ScandlError("correlated effects need rows that are not merged")
    if family == "bernoulli":
        pymc.Bernoulli("outcome", logit_p=eta, observed=y)
    elif family == "poisson":
        pymc.Poisson("outcome", mu=pymc.math.exp(eta), observed=y)
    else:
        assert problem.priors.shape is not None
        shape = _variable(pymc, SHAPE_NAMES[family], problem.priors.shape)
        if family == "negativebinomial":
            pymc.NegativeBinomial("outcome", mu=pymc.math.exp(eta), alpha=shape, observed=y)
        else:
            pymc.Normal("outcome", mu=eta, sigma=shape, observed=y)


def _of_factor(design: Design, factor: str) -> list[GroupEffects]:
    return [group for group in design.groups if group.factor == factor]


def _variable(pymc: Any, name: str, prior: Prior) -> Any:
    return getattr(pymc, prior.name)(name, **prior.values)


def _distribution(pymc: Any, prior: Prior) -> Any:
    return getattr(pymc, prior.name).dist(**prior.values)

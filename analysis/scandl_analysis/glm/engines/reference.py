"""The engines ``pymc``, ``nutpie`` and ``numpyro``: the same model built by bambi, sampled by libraries.

Slow and independent of our own density: what the fast engines are checked against.
"""

from __future__ import annotations

import logging
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from scandl.errors import ScandlError
from scandl.extras import need
from scandl.seeds import stream
from scandl_analysis.glm.design import by_levels
from scandl_analysis.glm.engines.correlated import correlated_model, draws_of
from scandl_analysis.glm.fit import ENGINES, SHAPE_NAMES, Fit, Sampling, Task, make_fit
from scandl_analysis.glm.priors import Prior
from scandl_analysis.glm.spec import TIMES, Glm

TUNE = 1000
_STATS = {"diverging": "diverging", "energy": "energy", "tree_depth": "tree_depth", "depth": "tree_depth"}


def bambi_model(task: Task, *, noncentered: bool = True) -> Any:
    """Return the bambi model of a task; nothing is sampled."""
    bambi = need("bambi", "analysis")
    glm = task.glm
    frame = task.frame.dropna(subset=list(glm.columns))[list(glm.columns)].copy()
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
        priors=_priors(task, bambi),
        noncentered=noncentered,
        center_predictors=True,
    )
    model.build()
    return model


def _priors(task: Task, bambi: Any) -> dict[str, Any]:
    """Return the resolved priors as bambi's, by its names of the terms."""

    def prior(one: Prior) -> Any:
        return bambi.Prior(one.name, **one.values)

    priors = {"Intercept": prior(task.priors.intercept)}
    for name, one in zip(task.design.terms, task.priors.slopes, strict=True):
        priors[_bambi_name(name)] = prior(one)
    for group, one in zip(task.design.groups, task.priors.deviations, strict=True):
        priors[group.name] = bambi.Prior("Normal", mu=0, sigma=prior(one))
    if task.priors.shape is not None:
        priors[SHAPE_NAMES[task.glm.family]] = prior(task.priors.shape)
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


def _reference(task: Task, sampling: Sampling, *, method: str) -> Fit:
    # scandl[analysis] brings pymc and nutpie; numpyro and its jax are for those who ask for them.
    if find_spec(method) is None:
        raise ScandlError(f"engine {method} needs {method}, which is not installed: pip install {method}")
    if task.glm.correlated:
        return _correlated(task, sampling, method)
    model = bambi_model(task)
    options = {"progress_bar": False} if method == "nutpie" else {"progressbar": False}
    trace = model.fit(
        draws=sampling.draws,
        tune=TUNE if sampling.tune is None else sampling.tune,
        chains=sampling.chains,
        cores=1,
        inference_method=method,
        random_seed=int(stream(sampling.seed, method).integers(2**31)),
        **options,
    )
    levels = {group.name: group.levels for group in task.design.groups}
    draws = {name: _values(trace.posterior, name, levels) for name in _names(task)}
    stats = {new: trace.sample_stats[old].values for old, new in _STATS.items() if old in trace.sample_stats}
    return make_fit(task, method, draws, stats=stats)


def _correlated(task: Task, sampling: Sampling, method: str) -> Fit:
    """Sample a model that bambi cannot build."""
    if method != "nutpie":
        raise ScandlError(f"engine {method}: correlated group effects are sampled by nutpie only")
    nutpie = need("nutpie", "analysis")
    trace = nutpie.sample(
        nutpie.compile_pymc_model(correlated_model(task)),
        draws=sampling.draws,
        tune=TUNE if sampling.tune is None else sampling.tune,
        chains=sampling.chains,
        cores=1,
        seed=int(stream(sampling.seed, method).integers(2**31)),
        progress_bar=False,
    )
    stats = {new: trace.sample_stats[old].values for old, new in _STATS.items() if old in trace.sample_stats}
    return make_fit(task, method, draws_of(trace, task), stats=stats)


def _names(task: Task) -> list[str]:
    names = ["Intercept", *task.design.terms]
    for group in task.design.groups:
        names += [f"{group.name}_sigma", group.name]
    return names + ([SHAPE_NAMES[task.glm.family]] if task.priors.shape is not None else [])


def _values(posterior: Any, name: str, levels: dict[str, tuple[str, ...]]) -> Any:
    found = posterior[_bambi_name(name)]
    if name in levels:
        return found.sel({f"{name.partition('|')[2]}__factor_dim": list(levels[name])}).values
    if found.ndim > 2:  # a factor: one of its levels, the reference is not among them
        level = name.partition("[")[2].partition("]")[0]
        found = found.sel({found.dims[2]: level})
    return np.asarray(found.values)


for _method in ("pymc", "nutpie", "numpyro"):
    ENGINES.register(_method)(partial(_reference, method=_method))

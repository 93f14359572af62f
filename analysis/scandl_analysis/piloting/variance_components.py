"""Experiments from stated variances: what a mixed model says readers, items and chance would do."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import expit

from scandl_analysis.mixed.crossed_rows import Floats
from scandl_analysis.mixed.quasi_likelihood import Kind
from scandl_analysis.mixed.reml import Reml
from scandl_analysis.piloting.design.condition_contrasts import Contrasts
from scandl_analysis.piloting.planned_regression import Plan
from scandl_analysis.piloting.reading_pool import Rows


@dataclass(frozen=True, slots=True)
class Components:
    """The parameters of a mixed model: everything an experiment can be simulated from."""

    effects: tuple[float, ...]  # the intercept first, then one per contrast
    reader: tuple[float, ...]  # standard deviations, of intercept and contrasts
    item: tuple[float, ...]
    residual: float  # standard deviation; of counts the root of the dispersion
    missing: tuple[float, ...]  # share of readings without a value in each condition

    def with_effect(self, effect: float) -> Components:
        """Return the components with another effect of every contrast."""
        return replace(self, effects=(self.effects[0], *([effect] * (len(self.effects) - 1))))


def components_of(found: Reml, plan: Plan, missing: Floats) -> Components:
    """Return the components that a regression estimated."""
    width = plan.contrasts.matrix.shape[1]
    deviations = np.sqrt(found.variances)
    split = len(plan.columns("reader"))
    reader = np.zeros(width)
    reader[list(plan.columns("reader"))] = deviations[:split]
    item = np.zeros(width)
    item[list(plan.columns("item"))] = deviations[split:]
    return Components(
        tuple(found.effects.tolist()),
        tuple(reader.tolist()),
        tuple(item.tolist()),
        float(np.sqrt(found.residual)),
        tuple(missing.tolist()),
    )


def simulate(
    components: Components,
    contrasts: Contrasts,
    rows: Rows,
    kind: Kind,
    rng: np.random.Generator,
    *,
    effect: float | None = None,
) -> Rows:
    """Return the rows with outcomes: log-normal times, binary outcomes, or counts.

    Counts are negative binomial where their dispersion is above 1, and Poisson where it is not: an
    experiment on counts that vary less than Poisson ones is then simulated as noisier than it is.
    """
    if effect is not None:
        components = components.with_effect(effect)
    x = contrasts.matrix[rows.condition]
    eta = x @ np.array(components.effects)
    for levels, deviations in ((rows.reader, components.reader), (rows.item, components.item)):
        drawn = rng.normal(size=(int(levels.max()) + 1, x.shape[1])) * np.array(deviations)
        eta += (x * drawn[levels]).sum(axis=1)
    y = _outcomes(eta, components.residual, kind, rng)
    y[rng.random(len(y)) < np.array(components.missing)[rows.condition]] = np.nan
    return replace(rows, y=y)


def _outcomes(eta: Floats, residual: float, kind: Kind, rng: np.random.Generator) -> Floats:
    if kind == "gaussian":
        return np.exp(eta + residual * rng.normal(size=len(eta)))
    if kind == "bernoulli":
        return (rng.random(len(eta)) < expit(eta)).astype(float)
    mean = np.exp(eta)
    over = residual**2 - 1
    if over < 1e-3:
        return rng.poisson(mean).astype(float)
    return rng.poisson(rng.gamma(mean / over, over)).astype(float)


def log_effect(ms: float, intercept: float) -> float:
    """Return the effect on log times that separates two medians around exp(intercept) by ``ms``.

    >>> round(added_ms(log_effect(25.0, 5.5), 5.5), 6)
    25.0
    """
    return float(2 * np.arcsinh(ms / (2 * np.exp(intercept))))


def added_ms(effect: float, intercept: float) -> float:
    """Return the difference of the medians, in ms, that an effect on log times makes."""
    return float(2 * np.exp(intercept) * np.sinh(effect / 2))

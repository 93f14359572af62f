"""Average marginal effects: what one unit of a predictor adds to the mean outcome, of words and readers.

A slope on the logit or log scale depends on what else varies: the same change of a skipping rate is a steeper
slope where readers or words differ more. The mean outcome does not. Given the effects, that of a word with
predictors x is μ(x) = E g⁻¹(xβ + zu), where g is the link and the expectation is over readers, sentences and
word tokens (and over the error of log-normal times). The average marginal effect of predictor k is the mean
over the words of ∂μ/∂xₖ, one for each draw of a posterior. Slopes are those of the population; how much
readers and words differ around them is taken from those at hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numba import njit
from scipy.special import expit

from scandl.errors import ScandlError
from scandl.statistics.bootstrap import Floats
from scandl_analysis.glm.kernels import conway_maxwell, conway_maxwell_drawn, exp_into
from scandl_analysis.glm.spec import TIMES, Family, Fit

if TYPE_CHECKING:
    import pandas as pd

ONE = "1"
"""What intercepts are multiplied by, as group terms call it."""
NODES = 13
"""Points of the Gauss–Hermite rule over group effects: exact to 10⁻⁴ up to deviations of 1.5."""
_LARGEST = 700.0
_LARGEST_DRAWN, _MOST = 40.0, 1e18
"""Linear predictor and mean beyond which counts are cut off: no larger ones can be drawn."""
_CELLS = 2_000_000
"""Words times draws held in memory at once."""


def marginal_effects(
    fit: Fit, rows: pd.DataFrame, names: Sequence[str] | None = None, *, level: str | None = None
) -> dict[str, Floats]:
    """Return the average marginal effect of each predictor, one value for each draw.

    Parameters
    ----------
    fit
        A regression with draws of its slopes and of the deviations of its groups.
    rows
        The words to average over, with a column for each predictor of the regression.
    names
        The predictors; all of the regression if none are named. A column that is a product of others counts
        as a predictor of its own.
    level
        The level of ``fit.glm.by`` whose effects are asked for; None is the first.

    Returns
    -------
    dict
        For each name the draws: probability, count or time that one unit of the predictor adds.
    """
    asked = fit.glm.predictors if names is None else tuple(names)
    terms = _Terms.of(fit, rows, level)
    effects = {name: np.zeros(terms.n_draws) for name in asked}
    for some in terms.blocks():
        _, first, second = terms.moments(some)
        by_slope = first @ terms.weights
        for name in asked:
            bent = terms.spread_by(name, some)
            of_spread = 0.0 if bent is None else (second * bent) @ terms.weights
            effects[name][some] = terms.slopes[name][some] * by_slope + of_spread
    return effects


def mean_outcomes(fit: Fit, rows: pd.DataFrame, *, level: str | None = None) -> Floats:
    """Return the mean outcome of some words, readers and word tokens averaged over, one value for each draw.

    The difference between two tables of the same words, one of them changed, is the effect of the change.

    Parameters
    ----------
    fit
        A regression with draws of its slopes and of the deviations of its groups.
    rows
        The words to average over, with a column for each predictor of the regression.
    level
        The level of ``fit.glm.by`` whose outcomes are asked for; None is the first.

    Returns
    -------
    ndarray
        Probability, count or time.
    """
    terms = _Terms.of(fit, rows, level)
    means = np.zeros(terms.n_draws)
    for some in terms.blocks():
        means[some] = terms.moments(some)[0] @ terms.weights
    return means


def thinned(fit: Fit, most: int) -> Fit:
    """Return a fit with at most so many of its draws, every second or third."""
    step = -(-fit.flat("Intercept").size // most)
    return replace(fit, draws={name: draws[:, ::step] for name, draws in fit.draws.items()})


def averaged(
    family: Family, eta: Floats, variance: Floats, shape: Floats | None = None
) -> tuple[Floats, Floats, Floats]:
    """Return mean outcome and its first two derivatives by η, where η varies normally by ``variance``.

    ``shape`` has one value for each row of η, which only Conway and Maxwell's family needs.

    >>> mean, first, second = averaged("poisson", np.zeros((1, 1)), np.full((1, 1), 2.0))
    >>> bool(mean == first == second == np.exp(1.0))
    True
    >>> [each.item() for each in averaged("bernoulli", np.zeros((1, 1)), np.zeros((1, 1)))]
    [0.5, 0.25, 0.0]
    """
    if family == "gaussian":
        return eta, np.ones_like(eta), np.zeros_like(eta)
    if family in ("poisson", "negativebinomial", "lognormal"):
        mean = np.exp(np.minimum(eta + variance / 2, _LARGEST))
        return mean, mean, mean
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES if variance.any() else 1)
    out = np.empty((3, *eta.shape))
    deviation = np.sqrt(variance)
    if family == "conwaymaxwell":
        assert shape is not None
        for k, nu in enumerate(shape):
            inner = eta[k] + deviation[k] * nodes[:, None]
            moments = conway_maxwell(inner.reshape(-1), float(nu))[1:4]
            out[:, k] = np.tensordot(moments.reshape(3, *inner.shape), weights / weights.sum(), (1, 0))
        return out[0], out[1], out[2]
    _logistic_pass(eta.reshape(-1), deviation.reshape(-1), nodes, weights / weights.sum(), out.reshape(3, -1))
    return out[0], out[1], out[2]


def drawn(
    family: Family,
    eta: Floats,
    shape: Floats | None,
    rng: np.random.Generator,
    rates: np.random.Generator | None = None,
) -> Floats:
    """Return an outcome for each linear predictor, (draw, word).

    ``shape`` has one value for each draw; ``rates`` draws the rates of negative binomial counts, if it is not
    to be ``rng``.
    """
    if family == "bernoulli":
        return np.asarray(rng.random(eta.shape) < expit(eta), dtype=float)
    spread = np.ones((len(eta), 1)) if shape is None else shape[:, None]
    if family in TIMES:
        eta = eta + spread * rng.standard_normal(eta.shape)
        return np.exp(np.minimum(eta, _LARGEST_DRAWN)) if family == "lognormal" else eta
    eta = np.minimum(eta, _LARGEST_DRAWN)
    if family == "conwaymaxwell":
        uniform = rng.random(eta.shape)
        rows = zip(eta, spread[:, 0], uniform, strict=True)
        return np.array([conway_maxwell_drawn(row, float(nu), u) for row, nu, u in rows])
    mean = np.exp(eta)
    if family == "negativebinomial":
        mean = np.minimum((rates or rng).gamma(spread, mean / spread), _MOST)
    return rng.poisson(mean).astype(float)


@njit(cache=True, fastmath=True)  # type: ignore[untyped-decorator]
def _logistic_pass(eta: Floats, deviation: Floats, nodes: Floats, weights: Floats, out: Floats) -> None:
    """Write E p, E p(1 − p) and E p(1 − p)(1 − 2p) of p = logistic(η + s z) over normal z."""
    minus, e = np.empty(256), np.empty(256)
    for start in range(0, eta.size, 256):
        n = min(256, eta.size - start)
        for i in range(n):
            out[0, start + i] = out[1, start + i] = out[2, start + i] = 0.0
        for k in range(nodes.size):
            for i in range(n):
                minus[i] = -(eta[start + i] + deviation[start + i] * nodes[k])
            exp_into(minus[:n], e)
            for i in range(n):
                p = 1.0 / (1.0 + e[i])
                slope = p * (1.0 - p)
                out[0, start + i] += weights[k] * p
                out[1, start + i] += weights[k] * slope
                out[2, start + i] += weights[k] * slope * (1.0 - 2.0 * p)


@dataclass(frozen=True)
class _Spread:
    """A part of the variance of η: ``size`` (draw,) times the product of two columns of a word."""

    size: Floats
    one: str
    other: str


@dataclass(frozen=True)
class _Terms:
    """A regression on some words: effects by draw, what varies around them, each distinct word once."""

    family: Family
    intercept: Floats  # (draw,)
    slopes: dict[str, Floats]
    spreads: tuple[_Spread, ...]
    error: Floats  # (draw,) variance of an error inside the link, that of log-normal times
    shape: Floats | None  # (draw,) the parameter beside the mean
    columns: dict[str, Floats]  # (word,) by name, the constant among them
    weights: Floats  # (word,) their shares

    @classmethod
    def of(cls, fit: Fit, rows: pd.DataFrame, level: str | None) -> _Terms:
        """Return the terms of a fit on the words in ``rows``."""
        glm = fit.glm
        names = tuple(dict.fromkeys((*glm.predictors, *(slope.predictor for slope in glm.slopes))))
        values = rows[list(names)].to_numpy(dtype=float)
        if not len(values) or np.isnan(values).any():
            raise ScandlError(f"{glm.formula}: no words to average over, or one without a predictor")
        distinct, counts = np.unique(values, axis=0, return_counts=True)
        columns = {ONE: np.ones(len(distinct))} | dict(zip(names, distinct.T, strict=True))
        intercept, slopes = fit.flat("Intercept"), {name: fit.flat(name) for name in glm.predictors}
        if level is not None and f"{glm.by}[{level}]" in fit.draws:
            intercept = intercept + fit.flat(f"{glm.by}[{level}]")
            slopes = {name: b + fit.flat(f"{glm.by}[{level}]:{name}") for name, b in slopes.items()}
        error = fit.flat("sigma") ** 2 if glm.family == "lognormal" else np.zeros(len(intercept))
        spreads = tuple(_spreads(fit))
        shares = counts / counts.sum()
        return cls(glm.family, intercept, slopes, spreads, error, fit.shape, columns, shares)

    @property
    def n_draws(self) -> int:
        """The number of draws."""
        return len(self.intercept)

    def blocks(self) -> Iterator[slice]:
        """Yield parts of the draws that fit into memory with all words."""
        size = max(1, _CELLS // len(self.weights))
        for start in range(0, self.n_draws, size):
            yield slice(start, start + size)

    def moments(self, some: slice) -> tuple[Floats, Floats, Floats]:
        """Return mean outcome of each word and its derivatives by η, (draw, word)."""
        eta = np.repeat(self.intercept[some, None], len(self.weights), axis=1)
        for name, slope in self.slopes.items():
            eta += np.outer(slope[some], self.columns[name])
        variance = np.repeat(self.error[some, None], len(self.weights), axis=1)
        for part in self.spreads:
            variance += np.outer(part.size[some], self.columns[part.one] * self.columns[part.other])
        return averaged(self.family, eta, variance, None if self.shape is None else self.shape[some])

    def spread_by(self, name: str, some: slice) -> Floats | None:
        """Return half the derivative of the variance of η by a predictor; None where it does not matter."""
        found = None
        for part in self.spreads:
            for own, beside in ((part.one, part.other), (part.other, part.one)):
                if own == name:
                    half = np.outer(part.size[some] / 2, self.columns[beside])
                    found = half if found is None else found + half
        return found


def spread_draws(fit: Fit) -> dict[str, Floats]:
    """Return for each group of effects how much its levels differ in each draw, (chain, draw).

    The deviation of a population is hardly known where a group has few levels, and its upper tail would be
    raised to a power by the mean of a logarithm's inverse. How much the levels at hand differ is known.
    """
    return {f"{name}_spread": draws.std(axis=2) for name, draws in fit.draws.items() if draws.ndim == 3}


def _spreads(fit: Fit) -> Iterator[_Spread]:
    """Yield variances of group effects, and covariances where they were drawn."""
    known = {**fit.draws, **spread_draws(fit)}
    for factor in fit.glm.factors:
        terms = [*([ONE] if factor in fit.glm.groups else []), *fit.glm.slopes_of(factor)]
        sizes = {
            term: np.asarray(known.get(f"{term}|{factor}_spread", known[f"{term}|{factor}_sigma"])).reshape(
                -1
            )
            for term in terms
        }
        for i, one in enumerate(terms):
            yield _Spread(sizes[one] ** 2, one, one)
            for other in terms[:i]:
                for pair in (f"cor({one}, {other}|{factor})", f"cor({other}, {one}|{factor})"):
                    if pair in fit.draws:
                        yield _Spread(2 * fit.flat(pair) * sizes[one] * sizes[other], one, other)


def unit_of(family: Family) -> tuple[str, float]:
    """Return the unit in which marginal effects are printed, and what they are multiplied by.

    >>> unit_of("bernoulli"), unit_of("poisson"), unit_of("lognormal")
    (('percentage points', 100.0), ('fixations', 1.0), ('ms', 1.0))
    """
    if family == "bernoulli":
        return "percentage points", 100.0
    return ("ms" if family in TIMES else "fixations"), 1.0

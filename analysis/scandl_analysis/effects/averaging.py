"""Marginal effects of every source on the same words, and errors of them that trust nothing but the mean.

The words are those that readers met in the models' sentences. The words of a reader go together, and so do
those of a sentence. A pooled regression without terms for either still finds how the mean outcome changes
with a predictor. Its error is taken from the residuals, summed by reader and by sentence (Cameron, Gelbach &
Miller, 2011, Journal of Business & Economic Statistics 29), so that it holds whatever the dispersion. Where
it is far from the error of the full model, that model fits badly.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from scandl.statistics.bootstrap import Floats
from scandl_analysis.effects.designs import AnalysedWords, Options
from scandl_analysis.effects.effect_table import Effects, with_marginal
from scandl_analysis.glm.marginal import averaged, marginal_effects, thinned
from scandl_analysis.glm.spec import Family, Fit
from scandl_analysis.words.analysed_run import HALVES, HUMAN
from scandl_analysis.words.word_table import reference_rows, versions_of

BITS = math.log(2.0)
"""Nats in one bit."""
NATURAL: Mapping[str, tuple[str, float]] = {
    "zipf": ("Zipf", 1.0),
    "proportion": ("occurrence in 1,000 words", 1000.0),
    "neglog2": ("bit", 1.0),
    "fpm": ("occurrence in a million words", 1.0),
    "nats": ("bit", 1 / BITS),
    "bits": ("bit", 1.0),
}
"""What one natural unit of frequency or surprisal is called, and how many there are in ours."""
MOST_DRAWS = 4000
"""Draws that are averaged: every second or third of a longer run."""


@dataclass(frozen=True)
class Averaging:
    """The words that effects are averaged over, and the natural units of predictors."""

    every: pd.DataFrame  # the words of all sources, standardised
    words: pd.DataFrame  # those that are averaged over
    shared: bool  # whether all sources are averaged over the words of people
    natural: Mapping[tuple[str, str], tuple[str, float]]  # by source and predictor
    constant: frozenset[tuple[str, str]]  # sources and measures that are the same in all words

    @classmethod
    def of(cls, words: AnalysedWords, options: Options) -> Averaging:
        """Return what an analysis averages over; each source by itself where each was scaled by itself."""
        frame = versions_of(words.scaled)[0]
        shared = options.scaling != "separate"
        units = {"word_length": ("letter", 1.0), "frequency": NATURAL[options.frequency or "zipf"]}
        units["surprisal"] = NATURAL[options.unit]
        natural = {}
        for row in words.constants.to_dict("records"):
            name, factor = units[row["predictor"].removeprefix("previous_")]
            natural[row["source"], row["predictor"]] = (name, row["sd"] * factor)
        constant = {
            (str(source), measure)
            for source, part in frame.groupby("source", sort=False)
            for measure in words.measures
            if part[measure].nunique() == 1
        }
        over = reference_rows(frame) if shared else frame
        return cls(frame, over, shared, natural, frozenset(constant))

    def added(self, effects: Effects, fit: Fit | None, source: str, *, level: str | None = None) -> Effects:
        """Return the effects with their marginal effects; of a measure that never varies these are 0."""
        of = HUMAN if source in HALVES else source
        natural = {name: unit for (whose, name), unit in self.natural.items() if whose == of}
        if fit is None:
            if (of, effects.measure) not in self.constant:
                return effects
            nothing = {name: np.zeros(MOST_DRAWS) for name in effects.glm.predictors}
            return with_marginal(effects, nothing, natural)
        rows = self.words[self.words["source"] == (HUMAN if self.shared else of)]
        rows = rows[rows[effects.measure].notna()]
        glm, own = effects.glm, self.every[self.every["source"] == source]
        robust = robust_errors(own, glm.measure, glm.predictors, glm.family, rows) if len(own) else {}
        drawn = marginal_effects(thinned(fit, MOST_DRAWS), rows, level=level)
        return with_marginal(effects, drawn, natural, robust)


CLUSTERS = ("reader_id", "sentence_id")
_STEPS = 50
_NEAR = 1e-10


def robust_errors(
    frame: pd.DataFrame, measure: str, predictors: tuple[str, ...], family: Family, grid: pd.DataFrame
) -> dict[str, float]:
    """Return the two-way clustered standard error of each average marginal effect.

    Parameters
    ----------
    frame
        The words of one source with outcome, predictors, ``reader_id`` and ``sentence_id``.
    measure
        The column of the outcome.
    predictors
        The columns it is regressed on.
    family
        The family; counts of all families have a mean that grows exponentially.
    grid
        The words that effects are averaged over.

    Returns
    -------
    dict
        By predictor, in the unit of the outcome; empty where the pooled regression has no estimate.
    """
    kept = frame.dropna(subset=[measure, *predictors])
    y = kept[measure].to_numpy(dtype=float)
    y = np.log(y) if family == "lognormal" else y
    x, at = (
        np.column_stack([np.ones(len(rows)), rows[list(predictors)].to_numpy(dtype=float)])
        for rows in (kept, grid)
    )
    simpler: dict[Family, Family] = {"lognormal": "gaussian", "conwaymaxwell": "poisson"}
    inner = simpler.get(family, family)
    beta = _estimate(x, y, inner)
    if beta is None:
        return {}
    mean, slope, _ = _moments(x @ beta, inner)
    residuals = y - mean
    bread = np.linalg.inv(x.T @ (x * slope[:, None]))
    variance = bread @ _meat(x * residuals[:, None], kept) @ bread
    error = float(residuals.var()) if family == "lognormal" else 0.0
    _, first, second = _moments(at @ beta, family if family == "lognormal" else inner, error)
    found = {}
    for k, name in enumerate(predictors, start=1):
        gradient = beta[k] * (second @ at) / len(at)
        gradient[k] += first.mean()
        found[name] = float(np.sqrt(max(gradient @ variance @ gradient, 0.0)))
    return found


def _estimate(x: Floats, y: Floats, family: Family) -> Floats | None:
    """Return the estimates by Newton's method; None where there is no maximum."""
    beta = np.zeros(x.shape[1])
    if family != "bernoulli":
        beta[0] = np.log(max(y.mean(), 1e-9)) if family != "gaussian" else y.mean()
    for _ in range(_STEPS):
        mean, slope, _ = _moments(x @ beta, family)
        try:
            step = np.linalg.solve(x.T @ (x * slope[:, None]), x.T @ (y - mean))
        except np.linalg.LinAlgError:
            return None
        beta = beta + step
        if not np.isfinite(beta).all() or np.abs(beta).max() > _STEPS:
            return None
        if np.abs(step).max() < _NEAR:
            return beta
    return None


def _moments(eta: Floats, family: Family, variance: float = 0.0) -> tuple[Floats, Floats, Floats]:
    mean, first, second = averaged(family, eta[None], np.full((1, len(eta)), variance))
    return mean[0], first[0], second[0]


def _meat(scores: Floats, frame: pd.DataFrame) -> Floats:
    """Return the summed products of scores by reader, plus by sentence, less by both."""
    codes = [frame[name].astype("category").cat.codes.to_numpy().astype(np.int64) for name in CLUSTERS]
    both = codes[0] * (codes[1].max() + 1) + codes[1]
    return (
        _by(codes[0], scores) + _by(codes[1], scores) - _by(np.unique(both, return_inverse=True)[1], scores)
    )


def _by(codes: Any, scores: Floats) -> Floats:
    sums = np.column_stack([np.bincount(codes, column) for column in scores.T])
    n = len(sums)
    return np.asarray(sums.T @ sums * (n / (n - 1) if n > 1 else 1.0))

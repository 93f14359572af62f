"""Marginal effects of every source on the same words: those that readers met in the models' sentences."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from scandl_analysis.effects.designs import AnalysedWords, Options
from scandl_analysis.effects.effect_table import Effects, with_marginal
from scandl_analysis.glm.marginal import marginal_effects
from scandl_analysis.glm.robust import robust_errors
from scandl_analysis.glm.spec import Fit
from scandl_analysis.words.analysed_run import HALVES, HUMAN
from scandl_analysis.words.word_table import reference_rows

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
        frame = words.scaled
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
        step = math.ceil(fit.flat("Intercept").size / MOST_DRAWS)
        fewer = replace(fit, draws={name: draws[:, ::step] for name, draws in fit.draws.items()})
        return with_marginal(effects, marginal_effects(fewer, rows, level=level), natural, robust)

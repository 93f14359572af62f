"""Which family fits fixation counts: leave-one-out log densities of five on the readers of a corpus.

A hurdle is two regressions: whether a word has any fixation, and how many more than one (Poisson).

``python benchmarks/intervals/count_families.py ../shared/data/schilling ../shared/data/mertzen``: quick looks
at 15 readers of each corpus, a minute a corpus.
"""

from __future__ import annotations

import sys
import warnings
from contextlib import suppress
from pathlib import Path

import arviz
import numpy as np
import pandas as pd

from scandl.corpora import read_corpus
from scandl_analysis.formulas.predictive import with_log_likelihood
from scandl_analysis.formulas.regression import Regression, fit
from scandl_analysis.glm.design import NotEstimableError
from scandl_analysis.glm.spec import COUNTS, Family
from scandl_analysis.words.corpus_words import word_table

TERMS = "scale(word_length) + scale(frequency) + (1 | reader) + (1 | word_token)"
READERS = 15


def fitted(words: pd.DataFrame, measure: str, family: Family) -> Regression:
    """Return a quick look at a measure."""
    return fit(f"{measure} ~ {TERMS}", words, family=family, engine="laplace", draws=100)


def densities(words: pd.DataFrame, measure: str) -> dict[str, np.ndarray]:
    """Return the leave-one-out log density of each word by family."""
    found: dict[str, np.ndarray] = {}
    for family in COUNTS:
        with suppress(NotEstimableError):  # negative binomial counts cannot vary less than their mean
            found[family] = _loo(fitted(words, measure, family))
    some = words[measure] > 0
    hurdle = _loo(fitted(words.assign(y=some.astype(int)), "y", "bernoulli"))
    hurdle[some.to_numpy()] += _loo(fitted(words[some].assign(y=words[measure] - 1), "y", "poisson"))
    return {**found, "hurdle": hurdle}


def _loo(found: Regression) -> np.ndarray:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        values = arviz.loo(with_log_likelihood(found), pointwise=True).loo_i
    return np.array(values)


for name in sys.argv[1:]:
    corpus = read_corpus(Path(name))
    words = word_table(corpus, surprisal="unigram")
    words = words[words["reader"].isin(corpus.reader_ids[:READERS])]
    for measure in ("ffc", "tfc"):
        of_words = words.dropna(subset=[measure])
        by_family = densities(of_words, measure)
        base = by_family["poisson"]
        said = []
        for family, values in by_family.items():
            gain = values - base
            error = gain.std() * np.sqrt(len(gain))
            said.append(f"{family} {gain.sum():+.0f} ± {error:.0f}")
        ratio = of_words[measure].var() / of_words[measure].mean()
        print(f"{Path(name).name} {measure}, {len(base):,} words, dispersion {ratio:.2f}: {', '.join(said)}")

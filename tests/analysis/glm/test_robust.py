"""Clustered errors of marginal effects: against repeated samples, and where counts vary too little."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from scandl_analysis.glm.robust import robust_errors
from scandl_analysis.glm.spec import Family


def words(
    rng: np.random.Generator, family: Family, n_readers: int = 25, n_sentences: int = 30
) -> pd.DataFrame:
    """Return words of readers and sentences that differ, six words a sentence."""
    x = np.tile(rng.normal(size=n_sentences * 6), n_readers)
    reader = np.repeat(np.arange(n_readers), n_sentences * 6)
    sentence = np.tile(np.repeat(np.arange(n_sentences), 6), n_readers)
    own = rng.normal(0, 0.5, n_readers)[reader] + rng.normal(0, 0.3, n_sentences)[sentence]
    slope = 0.4 + rng.normal(0, 0.3, n_readers)[reader]
    eta = -0.2 + own + slope * x
    if family == "bernoulli":
        y = rng.binomial(1, 1 / (1 + np.exp(-eta))).astype(float)
    elif family == "poisson":
        y = rng.binomial(4, np.clip(np.exp(eta) / 4, 0, 1)).astype(float)  # varies less than Poisson counts
    else:
        y = np.exp(5 + 0.1 * eta + rng.normal(0, 0.2, len(x)))
    return pd.DataFrame(
        {"y": y, "x": x, "reader_id": reader.astype(str), "sentence_id": sentence.astype(str)}
    )


@pytest.mark.parametrize("family", ["bernoulli", "poisson", "lognormal"])
def test_the_error_is_the_spread_over_repeated_samples(family: Family) -> None:
    grid = pd.DataFrame({"x": np.linspace(-1.5, 1.5, 31)})
    found, effects = [], []
    for seed in range(60):
        frame = words(np.random.default_rng(seed), family)
        found.append(robust_errors(frame, "y", ("x",), family, grid)["x"])
        outcome = np.log(frame["y"]) if family == "lognormal" else frame["y"]
        effects.append(np.polyfit(frame["x"], outcome, 1)[0])  # nearly the mean derivative, by least squares
    scale = np.exp(5.0) if family == "lognormal" else 1.0
    assert np.mean(found) == pytest.approx(scale * np.std(effects), rel=0.3)


def test_what_the_pooled_regression_cannot_estimate_has_no_error() -> None:
    frame = words(np.random.default_rng(1), "bernoulli").assign(y=lambda rows: (rows["x"] > 0).astype(float))
    assert robust_errors(frame, "y", ("x",), "bernoulli", frame) == {}

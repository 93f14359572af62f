"""Draws by name: what each parameter means."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from scandl_analysis.glm.diagnostics import summarise
from scandl_analysis.glm.engines import fit
from scandl_analysis.glm.fit import Sampling
from scandl_analysis.glm.spec import Glm

Made = Callable[..., pd.DataFrame]
SHORT = Sampling(draws=200, seed=2, patience=1)

pytest.importorskip("arviz_stats", reason="scandl[analysis] is not installed")


def test_intercept_belongs_to_the_predictors_as_they_came(made_words: Made) -> None:
    frame, glm = made_words(slopes=(0.5,)), Glm("y", "bernoulli", ("word_length",))
    moved = frame.assign(word_length=frame["word_length"] + 10)
    here, there = (fit(each, glm, engine="laplace", sampling=SHORT).draws for each in (frame, moved))
    np.testing.assert_allclose(there["word_length"], here["word_length"], atol=1e-6)
    np.testing.assert_allclose(there["Intercept"], here["Intercept"] - 10 * here["word_length"], atol=1e-5)


def test_negative_binomial_recovers_its_shape(made_words: Made) -> None:
    frame = made_words("negativebinomial", slopes=(0.3,), n_own=6, n_readers=10, shape=1.0)
    found = fit(frame, Glm("y", "negativebinomial", ("word_length",), ("reader_id",)), sampling=SHORT)
    shape = summarise(found)["alpha"]
    assert shape.ci_low < 1.0 < shape.ci_high

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from scandl_analysis.glm.design import build_design
from scandl_analysis.glm.fit import Task
from scandl_analysis.glm.priors import resolve
from scandl_analysis.glm.spec import Glm, Slope

pytest.importorskip("pymc", reason="scandl[analysis] is not installed")


@pytest.mark.filterwarnings("ignore")
def test_the_model_has_a_correlation_for_each_pair_of_terms(made_words: Callable[..., pd.DataFrame]) -> None:
    """Built, not sampled: one row of the linear predictor for each word, LKJ correlations of readers."""
    from scandl_analysis.glm.engines.correlated import correlated_model

    frame = made_words(n_readers=4)
    glm = Glm(
        "y",
        "bernoulli",
        ("word_length",),
        ("reader_id", "sentence_id"),
        slopes=(Slope("word_length", "reader_id"),),
        correlated=("reader_id",),
    )
    design = build_design(frame, glm, aggregate=False)
    model = correlated_model(Task(glm, frame, design, resolve("brms", glm, design)))
    names = {variable.name for variable in (*model.free_RVs, *model.deterministics)}
    assert {"centred intercept", "word_length", "effects reader_id", "correlation reader_id"} <= names
    assert "correlation sentence_id" not in names
    point = model.initial_point()
    assert np.isfinite(model.compile_logp(mode="FAST_COMPILE")(point))

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from scandl_analysis.glm.design import build_design
from scandl_analysis.glm.diagnostics import diagnose, summarise
from scandl_analysis.glm.fit import Sampling, fit
from scandl_analysis.glm.laplace import approximate
from scandl_analysis.glm.posterior import Posterior
from scandl_analysis.glm.priors import resolve
from scandl_analysis.glm.spec import Glm

Made = Callable[..., pd.DataFrame]
Agree = Callable[..., None]
SHORT = Sampling(draws=200, seed=2, patience=1)

pytest.importorskip("nutpie", reason="scandl[analysis] is not installed")


def test_quick_looks_are_labelled(made_words: Made) -> None:
    frame, glm = made_words(), Glm("y", "bernoulli", groups=("reader_id",))
    for engine in ("mle", "mle-robust", "laplace"):
        found = fit(frame, glm, engine=engine)
        assert found.note.startswith("quick look")
        assert diagnose(found).warnings == []
        assert np.isnan(summarise(found)["surprisal"].rhat)


def test_draws_have_the_means_and_deviations_of_the_approximation(made_words: Made) -> None:
    """Those of the mode and its curvature, worked out from the posterior itself."""
    frame, glm = made_words(), Glm("y", "bernoulli", ("word_length",))
    found = fit(frame, glm, engine="laplace", sampling=Sampling(draws=4000))
    design = build_design(frame, glm)
    approximation = approximate(Posterior(glm, design, resolve("brms", glm, design)))
    covariance = np.linalg.inv(approximation.curvature.border)
    assert found.draws["word_length"].mean() == pytest.approx(approximation.effects[1], abs=0.01)
    assert found.draws["word_length"].std() == pytest.approx(np.sqrt(covariance[1, 1]), rel=0.03)

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from scandl_analysis.glm.design import Design, build_design
from scandl_analysis.glm.runs import Runs
from scandl_analysis.glm.spec import Family, Glm, Slope

Made = Callable[..., pd.DataFrame]


def linear_predictor(design: Design, effects: np.ndarray) -> np.ndarray:
    """Row by row: the intercept, the predictors, and what each group adds."""
    p = len(design.terms)
    eta = effects[0] + design.x @ effects[1 : p + 1]
    place = p + 1
    for group in design.groups:
        own = effects[place + group.index]
        eta = eta + (own if group.values is None else own * group.values)
        place += len(group.levels)
    return eta


@pytest.mark.parametrize("groups", [("reader_id", "sentence_id"), ("reader_id", "sentence_id", "word_token")])
@pytest.mark.parametrize("family", ["bernoulli", "poisson"])
def test_log_partition_functions_summed_in_runs_are_those_of_the_rows(
    made_words: Made, family: Family, groups: tuple[str, ...]
) -> None:
    """Also of tokens nested in sentences, whose rows meet the sum of both."""
    frame = made_words(family, n_readers=6)
    glm = Glm("y", family, groups=groups, slopes=(Slope("surprisal", "reader_id"),))
    design = build_design(frame, glm)
    rng = np.random.default_rng(3)
    n_effects = 1 + len(design.terms) + sum(len(group.levels) for group in design.groups)
    effects = rng.normal(0, 0.3, n_effects)
    gradient = np.zeros(n_effects)
    found = Runs.of(design).subtract(effects, gradient, bernoulli=family == "bernoulli")
    eta = linear_predictor(design, effects)
    partition = np.log1p(np.exp(eta)) if family == "bernoulli" else np.exp(eta)
    assert found == pytest.approx(float((design.trials * partition).sum()))
    step = 1e-6
    sizes = [len(group.levels) for group in design.groups]
    inside = n_effects - sizes[-1] - 1  # the last level but those of the last group
    for k in (0, 1, len(design.terms) + 2, inside, n_effects - 1):
        there = effects.copy()
        there[k] += step
        change = Runs.of(design).subtract(there, np.zeros(n_effects), bernoulli=family == "bernoulli") - found
        assert gradient[k] == pytest.approx(-change / step, rel=1e-3, abs=1e-3)

"""Confounds: paired differences against scipy's, and stimuli made to differ in one thing."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from scandl_analysis.piloting.confounds import compare, confounds
from scandl_analysis.piloting.planned_regression import condition_contrasts
from scandl_analysis.piloting.stimuli import read_stimuli
from scandl_analysis.predictors.word_predictors import compute_predictors


def test_difference_and_interval_are_those_of_a_paired_t_test():
    values = np.random.default_rng(1).normal(size=(12, 2)) + np.array([0, 0.7])
    found = compare("length", "b − a", values, np.array([-1.0, 1.0]))
    expected = stats.ttest_rel(values[:, 1], values[:, 0]).confidence_interval(0.95)
    assert found.ci95 == pytest.approx((expected.low, expected.high))
    pooled = np.sqrt((values[:, 0].var(ddof=1) + values[:, 1].var(ddof=1)) / 2)
    assert found.d == pytest.approx((values[:, 1] - values[:, 0]).mean() / pooled)


def table(first: str, second: str) -> dict[str, object]:
    rows = [
        (i, c, f"{lead} {word} the {noun}.")
        for i, noun in enumerate(["ball", "table", "garden", "letters"])
        for c, lead, word in (("a", "She", f"*{first}*"), ("b", "She", f"*{second}*"))
    ]
    stimuli = read_stimuli(pd.DataFrame(rows, columns=["item_id", "condition", "text"]))
    predictors = compute_predictors([s.text for s in stimuli.every], provider="unigram")
    found = confounds(stimuli, condition_contrasts(stimuli), predictors)
    return {each.feature: each for each in found}


def test_only_what_differs_is_notable():
    found = table("found", "liked")  # five letters each, in one place
    assert [name for name, each in found.items() if each.notable] == ["frequency", "surprisal"]
    found = table("saw", "investigated")
    assert found["length"].difference == pytest.approx(9)
    assert found["length"].notable
    assert found["length"].ci95 is None  # the same in all items
    assert not found["position"].notable


def test_position_and_length_of_the_sentence():
    rows = [(i, c, t) for i in (1, 2) for c, t in (("a", f"It *was* {i}."), ("b", f"So then it *was* {i}."))]
    stimuli = read_stimuli(pd.DataFrame(rows, columns=["item_id", "condition", "text"]))
    predictors = compute_predictors([s.text for s in stimuli.every], provider="unigram")
    found = {c.feature: c for c in confounds(stimuli, condition_contrasts(stimuli), predictors)}
    assert [found[name].difference for name in ("position", "sentence length")] == pytest.approx([2, 2])
    assert found["position"].d is None  # no spread to compare it with
    assert found["position"].notable

"""Contrasts by hand, formulas, regressions on known data; what else differs against scipy's paired tests."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from scandl.errors import ScandlError
from scandl_analysis.formulas.formula import read_formula
from scandl_analysis.piloting.planned_regression import (
    Contrasts,
    Plan,
    analysed,
    compare,
    condition_contrasts,
    confounds,
    planned,
    regression,
)
from scandl_analysis.piloting.reading_pool import ReadingRows
from scandl_analysis.piloting.stimuli import read_stimuli
from scandl_analysis.predictors.word_predictors import compute_predictors

TWO = Contrasts(("b − a",), np.array([[1.0, -0.5], [1.0, 0.5]]))


def rows(y, readers=12, items=8):
    r, i = (axis.ravel() for axis in np.meshgrid(np.arange(readers), np.arange(items), indexing="ij"))
    return ReadingRows(np.broadcast_to(np.asarray(y, float), r.shape).copy(), r, i, (r + i) % 2)


@pytest.mark.parametrize(
    ("formula", "columns"),
    [
        ("condition + (1 + condition || reader) + (1 + condition || item)", ((0, 1), (0, 1))),
        ("condition + (1 + condition || reader) + (1 | item)", ((0, 1), (0,))),
        ("condition + (0 + condition | reader) + (1 | item)", ((1,), (0,))),
        ("condition + (1 | item)", ((), (0,))),
    ],
)
def test_a_formula_says_whose_effects_differ(stimuli_frame, formula, columns):
    plan = planned(read_stimuli(stimuli_frame), formula=f"TFT ~ {formula}")
    assert (plan.columns("reader"), plan.columns("item")) == columns
    assert plan.formula("TFT") == f"TFT ~ {formula}"
    assert read_formula(plan.formula("TFT")) == read_formula(f"TFT ~ {formula}")


def test_without_a_formula_the_model_is_maximal(stimuli_frame):
    plan = planned(read_stimuli(stimuli_frame))
    assert plan.formula("sr") == "sr ~ condition + (1 + condition || reader) + (1 + condition || item)"
    assert plan.columns("reader") == plan.columns("item") == (0, 1)


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("condition + (1 | sentence)", "no group 'sentence'; known: reader, item"),
        ("condition + (1 + condition | reader)", "correlated slopes are not offered here; write || for |"),
        ("1 + (1 | reader)", "expected a contrast"),
        ("length + (1 | reader)", "no column 'length' for the contrast; known: condition"),
        ("condition +", "cannot be read"),
    ],
)
def test_a_formula_that_cannot_be_planned(stimuli_frame, formula, said):
    with pytest.raises(ScandlError) as error:
        planned(read_stimuli(stimuli_frame), formula=formula)
    assert said in str(error.value)


def test_times_are_analysed_on_the_log_scale():
    rng = np.random.default_rng(1)
    base = rows(0.0)
    y = np.exp(5.5 + 0.3 * (base.condition - 0.5) + 0.2 * rng.normal(size=len(base.y)))
    found = regression(ReadingRows(y, base.reader, base.item, base.condition), Plan(TWO), "gaussian")
    assert found.effects == pytest.approx([5.5, 0.3], abs=0.1)


@pytest.mark.parametrize("y", [np.nan, 250.0])
def test_what_tells_nothing_finds_nothing(y):
    found = analysed(rows(y), Plan(TWO), "gaussian")
    assert np.isnan(found.effects).all()
    assert (found.p == 1).all()


def test_one_condition_without_values_finds_nothing():
    one = rows(np.random.default_rng(1).uniform(200, 300, 96))
    y = np.where(one.condition == 0, np.nan, one.y)
    assert (analysed(ReadingRows(y, one.reader, one.item, one.condition), Plan(TWO), "gaussian").p == 1).all()


CELLS = [("a", "no", "no"), ("b", "yes", "no"), ("c", "no", "yes"), ("d", "yes", "yes")]
ROWS = [(i, c, f"Item {i} in {c} *reads* well.", x, y) for i in "12" for c, x, y in CELLS]
STIMULI = read_stimuli(pd.DataFrame(ROWS, columns=["item_id", "condition", "text", "animate", "subject"]))
MEANS = np.array([1.0, 4.0, 2.0, 9.0])


def test_factors_and_their_interaction():
    found = condition_contrasts(STIMULI, "animate*subject")
    assert found.names == ("animate yes − no", "subject yes − no", "animate × subject")
    # Means of b and d minus a and c; of c and d minus a and b; the difference of the differences.
    np.testing.assert_allclose(found.weights @ MEANS, [6.5 - 1.5, 5.5 - 2.5, (9 - 2) - (4 - 1)])
    np.testing.assert_allclose(np.linalg.solve(found.matrix, MEANS)[0], MEANS.mean())


def test_conditions_are_compared_with_the_one_before():
    found = condition_contrasts(STIMULI)
    assert found.names == ("b − a", "c − b", "d − c")
    np.testing.assert_allclose(found.weights @ MEANS, np.diff(MEANS))


@pytest.mark.parametrize(
    ("contrast", "said"),
    [
        ("subjecthood", "no column 'subjecthood' for the contrast; known: condition, animate, subject"),
        ("condition*animate", "contrasts cannot be told apart in 4 conditions"),
        ("animate + (1 | reader)", "readers and items are added by themselves"),
    ],
)
def test_what_is_no_contrast_is_said(contrast, said):
    with pytest.raises(ScandlError) as error:
        condition_contrasts(STIMULI, contrast)
    assert said in str(error.value)


def test_one_level_is_no_contrast():
    frame = pd.DataFrame(ROWS, columns=["item_id", "condition", "text", "animate", "subject"])
    one = read_stimuli(frame[frame["animate"] == "no"])
    with pytest.raises(ScandlError, match="the contrast 'animate' has one level, 'no', expected two or more"):
        condition_contrasts(one, "animate")


def test_a_factor_that_differs_within_a_condition_names_its_line():
    frame = pd.DataFrame(ROWS, columns=["item_id", "condition", "text", "animate", "subject"])
    frame.loc[5, "animate"] = "perhaps"
    with pytest.raises(ScandlError, match=r"stimuli:7: column 'animate': found 'perhaps', expected 'yes'"):
        condition_contrasts(read_stimuli(frame), "animate")


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

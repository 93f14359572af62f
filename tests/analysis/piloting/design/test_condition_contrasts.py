"""Contrasts: each is the difference of means it is called."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from scandl.errors import ScandlError
from scandl_analysis.piloting.design.condition_contrasts import condition_contrasts
from scandl_analysis.piloting.design.stimuli import read_stimuli

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

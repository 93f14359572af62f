from __future__ import annotations

import numpy as np
import pytest

from scandl.errors import ScandlError
from scandl_analysis.formulas.contrasts import CONTRASTS

MEANS = np.array([10.0, 13.0, 11.0, 20.0])
LEVELS = ["a", "b", "c", "d"]
EXPECTED = {
    "treatment": (["b", "c", "d"], 10.0, [3.0, 1.0, 10.0]),
    "sum": (["S.a", "S.b", "S.c"], 13.5, [-3.5, -0.5, -2.5]),
    "sdif": (["b-a", "c-b", "d-c"], 13.5, [3.0, -2.0, 9.0]),
}


@pytest.mark.parametrize("name", list(CONTRASTS))
def test_coefficients_are_the_comparisons_the_names_say(name: str) -> None:
    """Solved from the means of the levels, intercept and coefficients are what the contrast promises."""
    names, matrix = CONTRASTS[name](LEVELS)
    intercept, *slopes = np.linalg.solve(np.column_stack([np.ones(4), matrix]), MEANS)
    assert names == EXPECTED[name][0]
    assert intercept == pytest.approx(EXPECTED[name][1])
    assert slopes == pytest.approx(EXPECTED[name][2])


def test_unknown_contrast_is_named() -> None:
    with pytest.raises(ScandlError, match="no contrast 'sums'; did you mean 'sum'"):
        CONTRASTS["sums"]

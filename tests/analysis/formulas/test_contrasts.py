"""Contrasts: the hypotheses that their columns stand for, by the generalised inverse of each coding."""

from __future__ import annotations

import numpy as np
import pytest

from scandl_analysis.formulas.contrasts import CONTRASTS

LEVELS = ["a", "b", "c", "d"]
MEANS = np.array([100.0, 130.0, 120.0, 170.0])


@pytest.mark.parametrize(
    ("coding", "expected"),
    [
        ("treatment", [100, 30, 20, 70]),
        ("sum", [130, -30, 0, -10]),
        ("sdif", [130, 30, -10, 50]),
    ],
)
def test_coefficients_of_known_means_are_the_differences_that_are_promised(
    coding: str, expected: list[float]
) -> None:
    names, matrix = CONTRASTS[coding](LEVELS)
    assert len(names) == 3
    coefficients = np.linalg.solve(np.column_stack([np.ones(4), matrix]), MEANS)
    np.testing.assert_allclose(coefficients, expected, atol=1e-9)

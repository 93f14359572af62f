"""Moments of densities whose moments are known."""

from __future__ import annotations

import numpy as np
import pytest

from scandl.models.simplified_swift.importance import mean_and_covariance

BOX = np.full(3, -20.0), np.full(3, 20.0)
TRUE_MEAN = np.array([1.0, -2.0, 0.5])
TRUE_COVARIANCE = np.array([[1.0, 0.7, 0.0], [0.7, 1.0, -0.2], [0.0, -0.2, 0.09]])


def gaussian(x: np.ndarray) -> float:
    away = x - TRUE_MEAN
    return float(-0.5 * away @ np.linalg.solve(TRUE_COVARIANCE, away))


@pytest.mark.parametrize("ripple", [0.0, 0.5])
def test_finds_a_gaussian_from_a_poor_guess_also_under_ripples(ripple: float) -> None:
    mean, covariance = mean_and_covariance(
        lambda x: gaussian(x) + ripple * np.sin(40.0 * x.sum()),
        (np.array([2.0, -1.0, 0.3]), 0.5 * np.eye(3)),
        BOX,
        np.random.default_rng(1),
    )
    error = np.sqrt(np.diag(TRUE_COVARIANCE))
    assert np.abs(mean - TRUE_MEAN).max() < 0.2 * error.max()
    assert np.sqrt(np.diag(covariance)) == pytest.approx(error, rel=0.2)
    assert covariance[0, 1] == pytest.approx(0.7, abs=0.2)


def test_a_flat_density_has_the_moments_of_its_box() -> None:
    box = np.array([0.0, -3.0]), np.array([1.0, 3.0])
    mean, covariance = mean_and_covariance(
        lambda x: 0.0, (np.array([0.5, 0.0]), np.diag([1 / 12, 3.0])), box, np.random.default_rng(2)
    )
    assert mean == pytest.approx([0.5, 0.0], abs=0.25)
    assert np.diag(covariance) == pytest.approx([1 / 12, 3.0], rel=0.2)

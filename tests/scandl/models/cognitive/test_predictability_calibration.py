from __future__ import annotations

import math

import numpy as np
import pytest

from scandl.errors import ScandlError
from scandl.models.cognitive.predictability_calibration import Calibration


def drawn(truth: Calibration, n_words: int, n_answers: int, seed: int = 1) -> tuple[list[float], list[float]]:
    """Return probabilities of a language model and shares of readers who guessed the word."""
    rng = np.random.default_rng(seed)
    probabilities = 1 / (1 + np.exp(-rng.normal(-3, 2.5, n_words)))
    guessed = rng.binomial(n_answers, [truth(p) for p in probabilities])
    return probabilities.tolist(), (guessed / n_answers).tolist()


def test_the_truth_is_found_again():
    found = Calibration.fitted(*drawn(Calibration(-0.4, 0.7), 4000, 20))
    assert found.intercept == pytest.approx(-0.4, abs=0.06)
    assert found.slope == pytest.approx(0.7, abs=0.03)


def test_no_neighbouring_calibration_is_more_likely():
    data = drawn(Calibration(0.5, 1.3), 300, 8)
    found = Calibration.fitted(*data)
    best = found.log_loss(*data)
    for a, b in ((0.01, 0), (-0.01, 0), (0, 0.01), (0, -0.01)):
        assert Calibration(found.intercept + a, found.slope + b).log_loss(*data) > best
    assert best < Calibration().log_loss(*data)


def test_impossible_and_certain_words_take_part():
    probabilities, cloze = drawn(Calibration(), 50, 5)
    assert math.isfinite(Calibration.fitted([*probabilities, 0.0, 1.0], [*cloze, 0.2, 0.9]).slope)


@pytest.mark.parametrize(
    ("probabilities", "cloze", "text"),
    [
        ([0.1] * 5, [0.0, 0.1, 0.2, 0.3, 0.4], "needs 10 words or more that differ .* found 5"),
        ([0.1] * 20, [0.0, 1.0] * 10, "that differ in cloze and in probability"),
        ([0.1, 0.2] * 10, [0.0] * 20, "that differ in cloze and in probability"),
        ([0.1] * 10 + [0.9] * 10, [0.0] * 10 + [1.0] * 10, "does not converge"),
    ],
)
def test_what_cannot_be_calibrated_is_refused(probabilities, cloze, text):
    with pytest.raises(ScandlError, match=text):
        Calibration.fitted(probabilities, cloze)

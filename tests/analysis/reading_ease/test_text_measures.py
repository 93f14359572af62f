"""What is measured of a text: by hand, and chance as the spread of means of the same readers."""

from __future__ import annotations

import numpy as np
import pytest

from scandl.models.expected_reading import WordReadings
from scandl.records import Sentence
from scandl.text.context import PROSE
from scandl_analysis.reading_ease.text_measures import cost_of_length, measures, noise


def test_measures_are_those_of_the_readers_by_hand() -> None:
    total = np.array([[[200.0, 100.0, 0.0, 300.0]], [[0.0, 0.0, 0.0, 200.0]]])
    first = np.array([[[200.0, 0.0, 0.0, 300.0]], [[0.0, 0.0, 0.0, 200.0]]])
    regression = np.array([[[0.0, 0.0, 0.0, 1.0]], [[0.0, 0.0, 0.0, 0.0]]])
    reading = WordReadings(total, first, 1.0 * (first == 0), regression)
    found = measures(Sentence("s", "The old man sat."), reading)
    assert found["ms_per_word"].tolist() == [150.0, 50.0]
    assert found["ms_per_character"].tolist() == [600 / 13, 200 / 13]
    assert found["rereading"].tolist() == [25.0, 0.0]
    assert found["skipping"].tolist() == [0.5, 0.75]
    assert found["regressions"].tolist() == [0.5, 0.0]
    assert np.isnan(noise(reading))


def test_noise_is_the_spread_of_means_of_the_same_readers() -> None:
    rng = np.random.default_rng(4)
    readers = rng.normal(300, 80, (5, 1, 1))

    def drawn() -> WordReadings:
        total = readers + rng.normal(0, 20, (5, 4, 3))
        return WordReadings(total, total, 0 * total, 0 * total)

    means = [float(drawn().total.mean()) for _ in range(1500)]
    assert np.mean([noise(drawn()) for _ in range(200)]) == pytest.approx(np.std(means), rel=0.1)


def test_the_cost_of_length_is_found_again() -> None:
    totals = [np.array([[[40.0 + 25 * len(word) for word in text.split()]]]) for text in PROSE]
    slope, start = cost_of_length(WordReadings(t, t, 0 * t, 0 * t) for t in totals)
    assert (slope, start) == pytest.approx((25.0, 40.0))

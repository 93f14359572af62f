"""Times of words against loops and numpy.corrcoef, slopes against numerical derivatives."""

from __future__ import annotations

import math
from statistics import fmean

import numpy as np
import pytest

from scandl.measures.distribution.word_times import correlation, spearman_brown, word_places, word_times
from scandl.measures.gaze_durations import gaze_durations
from scandl.records import Scanpath


def random_paths(seed, n=40):
    rng = np.random.default_rng(seed)
    return [
        Scanpath(
            f"r{i}",
            f"s{i % 4}",
            tuple(rng.integers(0, 7, 6).tolist()),
            tuple(rng.uniform(80, 400, 6).tolist()),
        )
        for i in range(n)
    ]


def test_means_are_those_of_all_readings_that_have_a_gaze():
    paths = random_paths(1)
    by_sentence = {f"s{k}": [path for path in paths if path.sentence_id == f"s{k}"] for k in range(4)}
    places = word_places([by_sentence])
    found = word_times(paths, places)
    for (sentence, word), place in places.items():
        gazes = [gaze_durations(p.positions, p.durations).get(word) for p in by_sentence[sentence]]
        known = [ms for ms in gazes if ms is not None]
        assert found.counts[place] == len(known)
        expected = fmean(known) if known else math.nan
        assert found.means[place] == pytest.approx(expected, nan_ok=True)
    first = found.reading < 20
    assert found.of(first).counts.tolist() == word_times(paths[:20], places).counts.tolist()


def test_correlation_is_that_of_numpy_over_the_words_that_have_both():
    rng = np.random.default_rng(2)
    x, noise = rng.normal(size=(2, 50))
    y = x + noise
    x[3], y[7] = np.nan, np.nan
    both = np.isfinite(x) & np.isfinite(y)
    found = correlation(x, y)
    assert found.value == pytest.approx(np.corrcoef(x[both], y[both])[0, 1])
    assert found.by_word.sum() == pytest.approx(0.0, abs=1e-12)
    for slope, moved, fixed in ((found.slope_x, x, y), (found.slope_y, y, x)):
        assert slope[3] == slope[7] == 0.0
        for word in (0, 10, 20):
            step = np.zeros(50)
            step[word] = 1e-6
            up, down = (np.corrcoef((moved + s)[both], fixed[both])[0, 1] for s in (step, -step))
            assert slope[word] == pytest.approx((up - down) / 2e-6, rel=1e-3)


def test_what_a_word_contributes_is_what_leaving_it_out_changes():
    rng = np.random.default_rng(3)
    x, noise = rng.normal(size=(2, 2000))
    found = correlation(x, x + noise)
    without = [found.value - np.corrcoef(np.delete(x, i), np.delete(x + noise, i))[0, 1] for i in range(50)]
    assert np.abs(found.by_word[:50] - without).max() < 0.01 * np.abs(found.by_word).max()


def test_too_few_words_or_no_variation_have_no_correlation():
    assert math.isnan(correlation(np.array([1.0, 2.0]), np.array([1.0, 2.0])).value)
    assert math.isnan(correlation(np.ones(5), np.arange(5.0)).value)


def test_spearman_brown_at_its_ends():
    assert spearman_brown(1.0) == 1.0
    assert spearman_brown(0.0) == 0.0
    assert math.isnan(spearman_brown(-1.0))

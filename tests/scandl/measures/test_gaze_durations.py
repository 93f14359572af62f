"""Gaze durations against their definition, written slowly, and against the measure FPRT of words."""

from __future__ import annotations

from itertools import takewhile

import numpy as np
import pytest

from scandl.measures.gaze_durations import gaze_durations
from scandl.measures.word_measures import timed_measures


def slow(words, ms, word):
    """Sum fixation after fixation: nothing for a word whose first fixation comes after one to its right."""
    if word not in words or any(earlier > word for earlier in words[: words.index(word)]):
        return None
    rest = list(zip(words, ms, strict=True))[words.index(word) :]
    return sum(duration for _, duration in takewhile(lambda fixation: fixation[0] == word, rest))


@pytest.mark.parametrize("seed", range(50))
def test_agrees_with_the_definition_and_with_the_reading_measure(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(0, 15))
    words, ms = rng.integers(0, 6, n).tolist(), rng.uniform(50, 500, n).tolist()
    expected = [slow(words, ms, word) for word in range(6)]
    found = gaze_durations(words, ms)
    assert [found.get(word) for word in range(6)] == expected
    assert timed_measures(words, ms, n_words=6)["FPRT"] == pytest.approx(expected)


def test_a_second_visit_does_not_count():
    assert gaze_durations([3, 1, 3, 3], [100, 90, 80, 70]) == {3: 100}


def test_as_many_durations_as_words():
    with pytest.raises(ValueError, match="zip"):
        gaze_durations([0, 1], [200])

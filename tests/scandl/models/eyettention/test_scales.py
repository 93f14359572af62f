"""Scales learned from a corpus: mean 0 and standard deviation 1 on what they were learned from."""

from __future__ import annotations

import numpy as np
import pytest

from scandl.corpora.corpus_folder import open_corpus
from scandl.models.eyettention.scales import Scale, Scales


def test_scaled_values_have_mean_0_and_sd_1() -> None:
    demo = open_corpus("demo")
    scales = Scales.of(demo)
    durations = np.array([ms for path in demo.scanpaths for ms in path.durations or ()])
    lengths = np.array([1 / len(word) for s in demo.sentences.values() for word in s.words])
    for scale, values in ((scales.duration, durations), (scales.inverse_length, lengths)):
        scaled = np.array([scale(value) for value in values])
        assert scaled.mean() == pytest.approx(0.0, abs=1e-9)
        assert scaled.std() == pytest.approx(1.0)


def test_equal_and_no_values_are_not_divided_by_zero() -> None:
    assert Scale.of([5.0, 5.0])(7.0) == 2.0
    assert Scale.of([]) == Scale()

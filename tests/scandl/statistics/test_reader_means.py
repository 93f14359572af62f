from __future__ import annotations

from itertools import product
from statistics import fmean

import numpy as np
import pytest

from scandl.records import Scanpath
from scandl.statistics.distances import nld
from scandl.statistics.reader_means import mean_between, mean_within, uneven_means


def readers(rng, names):
    return [Scanpath(name, "s", tuple(rng.integers(0, 5, 6).tolist())) for name in names]


def slow_mean(one, other, left_out=None):
    """The mean distance over pairs of different readers, without those of one of them."""
    return fmean(
        nld(a.words, b.words)
        for a, b in product(one, other)
        if a.reader_id != b.reader_id and left_out not in (a.reader_id, b.reader_id)
    )


@pytest.mark.parametrize("model", ["abcd", "aabbccdd", "bcddd", "wxyz"])
def test_means_are_over_pairs_of_different_readers(model):
    rng = np.random.default_rng(5)
    human, generated = readers(rng, "abcd"), readers(rng, model)
    whose = [[path.reader_id for path in side] for side in (human, generated)]
    everyone, between, within_human, within_model, *contributions = uneven_means(
        human, [generated], whose, "nld"
    )
    assert everyone == list(dict.fromkeys("abcd" + model))
    assert between == pytest.approx([slow_mean(human, generated)])
    assert within_human == pytest.approx(slow_mean(human, human))
    assert within_model == pytest.approx([slow_mean(generated, generated)])
    for of in contributions:
        assert of.sum() == pytest.approx(0.0, abs=1e-12)


def test_what_a_reader_contributes_is_what_leaving_the_reader_out_changes():
    """The delete-one jackknife of a mean over pairs, scaled so that n / (n - 1) times their squares is its variance."""
    human = readers(np.random.default_rng(2), "abcdef")
    distance = np.array([[nld(a.words, b.words) for b in human] for a in human])
    mean, of = mean_within(distance, np.arange(6), 6)
    left_out = [slow_mean(human, human, left_out=name) for name in "abcdef"]
    assert of == pytest.approx([5 / 6 * (mean - value) for value in left_out])


def test_without_two_different_readers_there_is_no_mean():
    mean, of = mean_between(np.array([[0.5]]), np.array([0]), np.array([0]), 1)
    assert np.isnan(mean)
    assert of.tolist() == [0.0]

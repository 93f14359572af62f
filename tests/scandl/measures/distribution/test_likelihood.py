from __future__ import annotations

import math

import numpy as np
import pytest

from scandl.errors import ScandlError
from scandl.measures.distribution.likelihood import bits_per_event, information_gain, likelihood
from scandl.statistics.clustered import codes, means_uncertainty


def test_a_coin_costs_one_bit_per_event():
    lengths = [3, 0, 7]
    log_probs = [(n + 1) * math.log(0.5) for n in lengths]
    assert bits_per_event(log_probs, lengths) == pytest.approx(-1.0)
    assert information_gain(log_probs, log_probs, lengths) == 0.0


def test_the_mean_is_over_events_not_over_paths():
    assert bits_per_event([-8 * math.log(2), 0.0], [7, 0]) == pytest.approx(-8 / 9)


def test_the_interval_is_that_of_the_ratio():
    rng = np.random.default_rng(1)
    readers, sentences = (
        [f"{kind}{k}" for k in numbers.ravel()]
        for kind, numbers in zip("rs", np.meshgrid(np.arange(10), np.arange(20)), strict=True)
    )
    lengths = rng.integers(1, 30, 200).tolist()
    log_probs = [-(n + 1) * float(rng.uniform(1, 2)) for n in lengths]
    baseline = [2 * value for value in log_probs]
    found = likelihood(log_probs, lengths, readers, sentences)
    gain = likelihood(log_probs, lengths, readers, sentences, baseline=baseline)
    assert found.ci95 is not None
    assert gain.ci95 is not None
    assert found.ci95[0] < found.bits < found.ci95[1]
    assert gain.bits == pytest.approx(-found.bits)
    assert gain.ci95 == pytest.approx([-found.ci95[1], -found.ci95[0]])
    # A ratio of sums: paths of one event each are a plain mean.
    bits = np.array(log_probs)[:, None] / math.log(2)
    single = likelihood(log_probs, [0] * 200, readers, sentences)
    mean = means_uncertainty(bits, codes(readers), codes(sentences))
    assert single.ci95 == pytest.approx(mean.interval(float(bits.mean()), [1.0]))
    assert (found.n_paths, found.n_events) == (200, sum(lengths) + 200)


def test_an_impossible_path_is_minus_infinity_without_interval():
    found = likelihood([-math.inf, -1.0], [2, 2], ["a", "b"], ["s", "t"])
    assert found.bits == -math.inf
    assert found.ci95 is None


def test_what_both_models_hold_impossible_is_no_difference():
    found = likelihood([-math.inf, -1.0], [2, 2], ["a", "b"], ["s", "t"], baseline=[-math.inf, -2.0])
    assert math.isnan(found.bits)
    assert found.ci95 is None


def test_error_text():
    with pytest.raises(ScandlError, match="1 log-probabilities for 2 scanpaths"):
        bits_per_event([0.0], [1, 2])
    assert math.isnan(bits_per_event([], []))

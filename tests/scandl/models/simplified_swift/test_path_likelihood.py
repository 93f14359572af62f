"""The closed form against the definition, fixation by fixation."""

from __future__ import annotations

from math import log, pi, sin

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import gamma

from scandl.models.simplified_swift.path_likelihood import (
    duration_log_densities,
    exposure,
    location_log_probs,
    log_likelihood,
    log_likelihoods,
)
from scandl.models.simplified_swift.simulation import Parameters, simulate


def slow_parts(words, durations, share, p: Parameters) -> tuple[list[float], list[float]]:
    """Location and duration terms, by running the model along the path."""
    floor, sigma = 10.0**p.eta, 1 / (1 + p.nu) ** 2
    a_max = [1 - p.beta * lf for lf in share]
    a = [0.0] * len(share)
    location, duration = [], []
    for i, (k, T) in enumerate(zip(words, durations, strict=True)):
        s = [(m * sin(pi * x / m) if m > 0 else 0.0) + floor for x, m in zip(a, a_max, strict=True)]
        rate = 9 / p.mu * (1 + p.iota * a[k])
        for j in range(k):
            rate /= 1 + p.kappa * (s[j] - floor)
        duration.append(gamma.logpdf(T, 9, scale=1 / rate))
        if i + 1 < len(words):
            for n, lam in (
                (k - 1, sigma * p.nu),
                (k, sigma),
                (k + 1, sigma * p.nu),
                (k + 2, sigma * p.nu**2),
            ):
                if 0 <= n < len(share):
                    a[n] = min(a_max[n], a[n] + p.r * lam * T / 1000)
            s = [(m * sin(pi * x / m) if m > 0 else 0.0) + floor for x, m in zip(a, a_max, strict=True)]
            location.append(log(s[words[i + 1]] ** p.gamma / sum(x**p.gamma for x in s)))
    return location, duration


@st.composite
def readings(draw):
    n_words = draw(st.integers(1, 15))
    share = draw(st.lists(st.floats(0, 1), min_size=n_words, max_size=n_words))
    words = draw(st.lists(st.integers(0, n_words - 1), min_size=1, max_size=25))
    durations = draw(st.lists(st.floats(20, 900), min_size=len(words), max_size=len(words)))
    return words, durations, share


parameters = st.builds(
    Parameters,
    nu=st.floats(0, 1),
    r=st.floats(0.1, 30),
    mu=st.floats(80, 500),
    iota=st.floats(-0.9, 4),
    eta=st.floats(-4, -0.5),
    beta=st.floats(0, 1),
    kappa=st.floats(0, 2),
    gamma=st.floats(0.2, 3),
)


@settings(deadline=None, max_examples=80)
@given(st.lists(readings(), min_size=1, max_size=4), parameters)
def test_agrees_with_the_definition(every, p: Parameters) -> None:
    slow = [slow_parts(*reading, p) for reading in every]
    data = exposure(every)
    first, later = duration_log_densities(data, p)
    assert location_log_probs(data, p) == pytest.approx(
        [x for loc, _ in slow for x in loc], rel=1e-10, abs=1e-10
    )
    assert first == pytest.approx([dur[0] for _, dur in slow], rel=1e-10, abs=1e-10)
    assert later == pytest.approx([x for _, dur in slow for x in dur[1:]], rel=1e-10, abs=1e-10)
    whole = [sum(loc) + sum(dur) for loc, dur in slow]
    assert log_likelihoods(data, p) == pytest.approx(whole, rel=1e-10, abs=1e-10)
    assert [log_likelihood(*reading, p) for reading in every] == pytest.approx(whole, rel=1e-10, abs=1e-10)


@settings(deadline=None, max_examples=30)
@given(readings(), parameters)
def test_next_words_have_probabilities_that_sum_to_one(reading, p: Parameters) -> None:
    words, durations, share = reading
    each = [exposure([([*words, following], [*durations, 200.0], share)]) for following in range(len(share))]
    assert sum(np.exp(location_log_probs(data, p)[-1]) for data in each) == pytest.approx(1)


def test_simulated_paths_are_most_probable_under_their_own_parameters() -> None:
    rng, share = np.random.default_rng(4), [0.9, 0.2, 0.6, 0.0, 0.8, 0.4]
    truth = Parameters(nu=0.5, r=6.0, eta=-2.0)
    data = exposure((*simulate(share, truth, rng), share) for _ in range(500))
    best = log_likelihoods(data, truth).sum()
    for other in (Parameters(nu=0.4, r=6.0, eta=-2.0), Parameters(nu=0.5, r=7.0, eta=-2.0), Parameters()):
        assert log_likelihoods(data, other).sum() < best - 5

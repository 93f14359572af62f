"""Simulation against a second, slow writing of the model."""

from __future__ import annotations

from itertools import pairwise
from math import pi, sin

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ks_2samp, kstest

from scandl.errors import ConfigError
from scandl.models.simplified_swift.simulation import SHAPE, Parameters, erlang, fixations, salience, simulate

SHARE = [0.95, 0.2, 0.6, 0.0, 0.9, 0.4, 1.0, 0.3]
IMPROBABLE = 1e-4  # some twenty comparisons are made: by chance one in five hundred runs would fail
SETS = {
    "published": Parameters(),
    "slow and broad": Parameters(nu=0.7, r=4.0, mu=260.0, eta=-1.5, beta=0.8, gamma=1.3),
    "inhibited": Parameters(r=5.0, kappa=0.8, iota=-0.3, beta=1.0),
}


def slow_reading(share: list[float], p: Parameters, rng: np.random.Generator) -> list[tuple[int, float]]:
    """Every quantity of every word anew at every fixation, from the history alone."""
    n_words, history = len(share), []
    a_max = [1 - p.beta * lf for lf in share]

    def a(n: int) -> float:
        sigma = 1 / (1 + p.nu) ** 2
        lam = {-1: sigma * p.nu, 0: sigma, 1: sigma * p.nu, 2: sigma * p.nu**2}
        level = 0.0
        for k, T in history:
            level = min(a_max[n], level + p.r * lam.get(n - k, 0.0) * T / 1000)
        return level

    def s(n: int) -> float:
        return (a_max[n] * sin(pi * a(n) / a_max[n]) if a_max[n] > 0 else 0.0) + 10**p.eta

    k = 0
    while True:
        brake = np.prod([1 + p.kappa * (s(j) - 10**p.eta) for j in range(k)])
        T = rng.gamma(9, 1 / ((9 / p.mu) * (1 + p.iota * a(k)) / brake))
        history.append((k, T))
        if k == n_words - 1:
            return history
        weights = np.array([s(n) ** p.gamma for n in range(n_words)])
        k = int(rng.choice(n_words, p=weights / weights.sum()))


@pytest.fixture(scope="module", params=list(SETS))
def both(request: pytest.FixtureRequest) -> tuple[list, list]:
    p = SETS[request.param]
    rng = np.random.default_rng(7)
    ours = [list(zip(*simulate(SHARE, p, rng), strict=True)) for _ in range(1500)]
    return ours, [slow_reading(SHARE, p, rng) for _ in range(600)]


@pytest.mark.parametrize(
    "statistic",
    [
        lambda path: len(path),
        lambda path: sum(ms for _, ms in path),
        lambda path: path[-1][1],
        lambda path: path[min(2, len(path) - 1)][0],
        lambda path: len({word for word, _ in path}),
        lambda path: sum(b[0] < a[0] for a, b in pairwise(path)),
        lambda path: np.mean([ms for word, ms in path if word > 1] or [0.0]),
    ],
    ids=["fixations", "time", "last duration", "third word", "words seen", "regressions", "later durations"],
)
def test_simulation_agrees_with_the_slow_model(both, statistic) -> None:
    ours, slow = ([statistic(path) for path in paths] for paths in both)
    assert ks_2samp(ours, slow).pvalue > IMPROBABLE


def test_the_comparison_can_tell_models_apart() -> None:
    rng = np.random.default_rng(3)
    ours = [len(simulate(SHARE, Parameters(), rng)[0]) for _ in range(700)]
    other = [len(slow_reading(SHARE, Parameters(nu=0.4), rng)) for _ in range(700)]
    assert ks_2samp(ours, other).pvalue < IMPROBABLE


def test_first_durations_are_gamma() -> None:
    rng = np.random.default_rng(5)
    first = [simulate(SHARE, Parameters(mu=180.0), rng)[1][0] for _ in range(3000)]
    assert kstest(first, "gamma", (SHAPE, 0, 20.0)).pvalue > IMPROBABLE
    assert kstest([erlang(rng) for _ in range(3000)], "gamma", (SHAPE,)).pvalue > IMPROBABLE


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=20),
    st.builds(
        Parameters,
        nu=st.floats(0, 1),
        r=st.floats(0, 60),
        mu=st.floats(50, 800),
        iota=st.floats(-0.9, 5),
        eta=st.floats(-4, 0),
        beta=st.floats(0, 1),
        kappa=st.floats(0, 3),
        gamma=st.floats(0, 3),
    ),
    st.integers(0, 2**32),
)
def test_every_path_obeys_the_rules(share, parameters, seed) -> None:
    words, durations = simulate(share, parameters, np.random.default_rng(seed), max_fixations=300)
    last = len(share) - 1
    assert words[0] == 0
    assert set(words) <= set(range(len(share)))
    assert words.count(last) == 1 if len(words) < 300 else words.count(last) <= 1
    assert words[-1] == last or len(words) == 300
    assert len(durations) == len(words)
    assert np.isfinite(durations).all()
    assert min(durations) > 0
    assert (words, durations) == simulate(share, parameters, np.random.default_rng(seed), max_fixations=300)


def test_reading_may_begin_elsewhere_and_go_on() -> None:
    endless = fixations([0.5] * 3, Parameters(), np.random.default_rng(1), first=2)
    words = [next(endless)[0] for _ in range(50)]
    assert words[0] == 2
    assert set(words) == {0, 1, 2}


def test_a_word_without_ceiling_is_done_from_the_start() -> None:
    assert salience(0.0, 0.0, 0.001) == 0.001


def test_frequent_words_are_skipped_more() -> None:
    rng = np.random.default_rng(2)
    paths = [set(simulate([0.5, 0.5, 0.0, 0.5, 1.0, 0.5, 0.5], Parameters(), rng)[0]) for _ in range(2000)]
    rare, frequent = (sum(word in path for path in paths) for word in (2, 4))
    assert rare > frequent + 200


@pytest.mark.parametrize(
    ("name", "value"), [("nu", 1.2), ("mu", 0.0), ("iota", -1.0), ("beta", float("nan"))]
)
def test_impossible_parameters_are_refused(name: str, value: float) -> None:
    with pytest.raises(ConfigError, match=f"^{name} = {value}: expected"):
        Parameters(**{name: value})

"""Gains on words whose truth is known, against the slow definition and by simulation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from scipy import stats

from scandl.seeds import stream
from scandl_analysis.effects.held_out_words import held_out_gain

N_READERS = 25


@dataclass(frozen=True)
class Made:
    """Words read by all readers, and the gain of the fifth predictor in nats."""

    outcome: np.ndarray
    x: np.ndarray  # (5, n)
    reader: list[str]
    item: list[str]
    token: list[str]
    gain: float

    def held_out(self, added: np.ndarray, **options: object) -> tuple[float, tuple[float, float]]:
        found, interval = held_out_gain(
            self.outcome, self.x[:4], (added,), self.reader, self.item, self.token, **options
        )
        assert interval is not None
        return found, interval

    def shuffled(self, seed: int) -> np.ndarray:
        n = len(self.outcome) // N_READERS
        return np.tile(np.random.default_rng(seed).permutation(self.x[4, :n]), N_READERS)


def made(seed: int, *, n_items: int = 60, effect: float = 0.06) -> Made:
    """Log times: the added predictor explains effect² of a variance of 0.35² + 0.08² (word tokens)."""
    rng = np.random.default_rng(seed)
    n = n_items * 8
    x = rng.normal(size=(n, 5))
    by_word = 5.3 + 0.05 * x[:, 0] - 0.04 * x[:, 1] + effect * x[:, 4] + rng.normal(0, 0.08, n)
    y = by_word + rng.normal(0, 0.15, N_READERS)[:, None] + rng.normal(0, 0.35, (N_READERS, n))
    word = np.tile(np.arange(n), N_READERS)
    rest = 0.35**2 + 0.08**2
    return Made(
        y.reshape(-1),
        np.tile(x.T, N_READERS),
        np.repeat(np.arange(N_READERS), n).astype(str).tolist(),
        (word // 8).astype(str).tolist(),
        word.astype(str).tolist(),
        0.5 * float(np.log((rest + effect**2) / rest)),
    )


def covers(interval: tuple[float, float], value: float) -> bool:
    return interval[0] <= value <= interval[1]


def test_finds_a_known_gain_and_none_of_a_shuffled_predictor() -> None:
    for seed in range(2):
        words = made(seed)
        for spline in (False, True):
            gain, interval = words.held_out(words.x[4], spline=spline)
            assert covers(interval, words.gain)
            assert interval[0] > 0
            gain, interval = words.held_out(words.shuffled(seed), spline=spline)
            assert abs(gain) < 0.05 * words.gain
            assert interval[0] <= 0


@pytest.mark.slow
@pytest.mark.parametrize("spline", [False, True])
def test_intervals_cover_a_known_gain(spline: bool) -> None:
    """In at least 90 of 100; a shuffled predictor has no gain, and is said to have one in at most 5."""
    hits, claims, gains = 0, 0, []
    for seed in range(100):
        words = made(seed)
        hits += covers(words.held_out(words.x[4], spline=spline)[1], words.gain)
        gain, interval = words.held_out(words.shuffled(seed), spline=spline)
        claims += interval[0] > 0
        gains.append(gain)
    print(f"spline {spline}: covered {hits}, claimed {claims}, mean shuffled gain {np.mean(gains):.6f}")
    assert hits >= 90
    assert claims <= 5
    assert abs(np.mean(gains)) < 0.02 * made(0).gain


def test_is_the_slow_definition() -> None:
    """One unnamed reader, straight lines, an effect so clear that nothing is shrunk: least squares by fold."""
    words = made(3, effect=1.0)
    n = 480
    names = sorted(set(words.item[:n]))  # folds are dealt to items in the order of their names
    y, x, item = words.outcome[:n], words.x[:, :n], np.array([names.index(i) for i in words.item[:n]])
    place = stream(1, "predictive power").permutation(60) % 10
    expected = []
    for k in range(10):
        test = place[item] == k
        score = {}
        for p in (4, 5):
            columns = np.column_stack([np.ones(n), *x[:p]])
            b, rest, *_ = np.linalg.lstsq(columns[~test], y[~test], rcond=None)
            sd = np.sqrt(rest[0] / ((~test).sum() - p - 1))
            score[p] = stats.norm.logpdf(y[test], columns[test] @ b, sd)
        expected.append(score[5] - score[4])
    one = [""] * n
    gain, _ = held_out_gain(y, x[:4], (x[4],), one, words.item[:n], words.token[:n])
    assert gain == pytest.approx(np.concatenate(expected).mean(), rel=1e-3)

"""Divergence points: a slow definition, a shift, simulated readers whose curves part where it is known."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from scandl.errors import ConfigError
from scandl_analysis.effects.divergence import divergence_point


def made(seed: int, *, parts_at: float = 180.0, by: float = 60.0, n_readers: int = 24) -> pd.DataFrame:
    """Return first fixations that are ``by`` ms longer in one condition, but only those beyond a point."""
    rng = np.random.default_rng(seed)
    rows = []
    for reader in range(n_readers):
        for condition in ("easy", "hard"):
            ms = rng.gamma(9, 25 + reader % 3, 80)
            ms = np.where((ms > parts_at) & (condition == "hard"), ms + by, ms)
            rows += [(f"r{reader}", condition, each) for each in ms]
    return pd.DataFrame(rows, columns=["reader", "condition", "FFD"])


def test_curves_are_those_of_the_definition() -> None:
    words = made(1, n_readers=3)
    found = divergence_point(words, "condition", resamples=5)
    for level in ("easy", "hard"):
        for t in (100, 180, 300):
            shares = [
                np.mean([np.floor(ms) > t for ms in part["FFD"]])
                for _, part in words[words["condition"] == level].groupby("reader")
            ]
            assert found.curves[level][t] == pytest.approx(np.mean(shares))


def test_the_point_where_simulated_readers_part_is_found() -> None:
    """The gap opens at 180 ms; 1.5 points of all fixations are reached some milliseconds later."""
    points = []
    for seed in range(6):
        found = divergence_point(made(seed), "condition", resamples=200)
        assert (found.longer, found.shorter, found.share) == ("hard", "easy", 1.0)
        assert found.low <= found.point <= found.high  # type: ignore[operator]
        points.append(found.point)
    assert np.median(points) == pytest.approx(182, abs=8)


def test_the_point_moves_with_the_fixations() -> None:
    words = made(3)
    later = words.assign(FFD=words["FFD"] + 50)
    one, other = (divergence_point(each, "condition", resamples=100) for each in (words, later))
    assert other.point == pytest.approx((one.point or 0) + 50)


def test_equal_conditions_do_not_part_early() -> None:
    words = made(4, by=0.0, n_readers=60)
    found = divergence_point(pd.concat([words] * 8), "condition", resamples=100)
    real = divergence_point(made(4, n_readers=60), "condition", resamples=100)
    assert np.abs(found.curves["difference"]).max() < 0.05 < real.curves["difference"].max()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("conditon",), "the table has no column 'conditon'; did you mean 'condition'?"),
        (("reader",), "reader has the levels r0, r1, r2: name two of them"),
        (("condition", ("easy", "simple")), "no reader has FFD in both easy and simple"),
    ],
)
def test_what_cannot_be_compared_is_said(arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(ConfigError, match=f"^{message.replace('?', '[?]')}"):
        divergence_point(made(1, n_readers=3), *arguments)

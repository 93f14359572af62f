from __future__ import annotations

import numpy as np
import pytest

from scandl.errors import ScandlError
from scandl_eval.metrics.score_table import Column
from scandl_eval.scoring.ranking import places, rank, ranks_of

READERS = tuple(f"r{i}" for i in range(12) for _ in range(15))
SENTENCES = tuple(f"s{j}" for _ in range(12) for j in range(15))


def column(values):
    return Column(("0",) * len(values), READERS, SENTENCES, np.asarray(values))


def test_a_clear_order_has_narrow_rank_intervals_and_ties_are_named():
    rng = np.random.default_rng(0)
    base = rng.random(180)
    found = rank({
        "worst": column(base + 0.5), "best": column(base), "nearly": column(base + rng.normal(0, 0.05, 180)),
    })  # fmt: skip
    assert found["worst"].rank == 3
    assert found["worst"].rank_interval == (3, 3)
    assert not found["worst"].tied_with_best
    assert found["worst"].difference == pytest.approx(0.5, abs=0.02)
    assert found["worst"].p_holm < 0.01
    assert found["best"].rank_interval == found["nearly"].rank_interval == (1, 2)
    assert found["nearly"].tied_with_best
    assert found["best"].tied_with_best


def test_higher_can_be_better():
    base = np.random.default_rng(1).random(180)
    found = rank({"a": column(base), "b": column(base + 1)}, higher_is_better=True)
    assert list(found) == ["b", "a"]
    assert found["a"].difference == pytest.approx(1)


def test_ranks_count_who_loses_less():
    losses = np.random.default_rng(3).integers(0, 4, (50, 5)).astype(float)
    slow = [[1 + sum(other < own for other in row) for own in row] for row in losses.tolist()]
    assert ranks_of(losses).tolist() == slow


def test_without_resamples_there_is_a_rank_and_no_interval():
    found = places(np.array([0.4, 0.2]), None)
    assert [(p.rank, p.rank_interval, p.tied_with_best) for p in found] == [(2, None, None), (1, None, None)]


@pytest.mark.parametrize(("crossing", "p", "tied"), [(14, 0.03, False), (29, 0.06, True)])
def test_a_tie_is_a_p_value_above_one_in_twenty(crossing, p, tied):
    draws = np.zeros((999, 2))
    draws[:, 1] = 0.1
    draws[:crossing, 1] = -0.1
    _, second = places(np.array([0.0, 0.1]), draws)
    assert (second.p_holm, second.tied_with_best) == (pytest.approx(p), tied)


def test_a_resample_in_which_one_model_has_no_value_counts_for_none():
    draws = np.array([[0.1, 0.2], [0.1, 0.3], [np.nan, 0.9]])
    first, second = places(np.array([0.1, 0.2]), draws)
    assert second.difference_ci95 == pytest.approx((0.1025, 0.1975))
    assert (first.rank_interval, second.rank_interval) == ((1, 1), (2, 2))


def test_models_without_shared_items_cannot_be_ranked():
    a = Column(("0",), ("r1",), ("s1",), np.array([0.1]))
    b = Column(("0",), ("r2",), ("s1",), np.array([0.1]))
    with pytest.raises(ScandlError, match="the models a, b share no"):
        rank({"a": a, "b": b})

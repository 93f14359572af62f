"""Estimates of each kind of metric: values, shared items and paired differences against loops."""

from __future__ import annotations

import math
from statistics import fmean

import numpy as np
import pytest

from scandl.measures.catalogue import METRICS
from scandl_eval.score_table import ScoreColumn, column_of
from scandl_eval.scoring.estimates import (
    ALPHA,
    LikelihoodEstimates,
    Likelihoods,
    MeanEstimates,
    places,
    rank,
    ranks_of,
    unsure_places,
)

ITEMS = [(str(s % 3), f"r{r}", f"s{s}") for r in range(5) for s in range(6)]


def mean_estimates(**values):
    return MeanEstimates(
        {model: column_of(ITEMS[: len(own)], np.asarray(own)) for model, own in values.items()}
    )


@pytest.fixture
def rng():
    return np.random.default_rng(9)


def test_a_mean_is_over_the_items_all_models_have(rng):
    a, b = rng.random(30), rng.random(20)
    estimates = mean_estimates(a=a, b=b)
    joint = estimates.joint(["a", "b"])
    assert joint.values == pytest.approx([a[:20].mean(), b.mean()])
    assert joint.n == 20
    assert estimates.joint(["a"]).values == pytest.approx([a.mean()])
    gap = joint.difference("a", "b")
    assert (gap.n, gap.mean_a, gap.mean_b) == (20, pytest.approx(a[:20].mean()), pytest.approx(b.mean()))
    assert gap.difference == pytest.approx((a[:20] - b).mean())


def test_a_paired_difference_is_the_mean_of_differences(rng):
    """Its interval is that of a single column of differences, and surer than two intervals are."""
    a = rng.random(30)
    b = a + 0.05 + rng.normal(0, 0.01, 30)
    joint = mean_estimates(a=a, b=b).joint(["a", "b"])
    gap = joint.difference("b", "a")
    alone = mean_estimates(d=b - a).joint(["d"])
    assert gap.ci95 == pytest.approx(alone.ci95("d"))
    assert gap.separable
    assert gap.p < 0.01
    assert joint.ci95("b")[0] < joint.ci95("a")[1]  # the two intervals overlap all the same
    turned = joint.difference("a", "b")
    assert turned.ci95 == pytest.approx((-gap.ci95[1], -gap.ci95[0]))
    assert turned.p == gap.p


def test_a_difference_does_not_depend_on_who_else_is_compared(rng):
    values = {name: rng.random(30) for name in "abc"}
    estimates = mean_estimates(**values)
    three, two = (
        estimates.joint(list("abc")).difference("a", "c"),
        estimates.joint(["a", "c"]).difference("a", "c"),
    )
    assert three.ci95 == pytest.approx(two.ci95)
    assert three.p == pytest.approx(two.p)


def test_one_item_has_a_difference_and_no_interval():
    gap = mean_estimates(a=[0.25], b=[0.25]).joint(["a", "b"]).difference("a", "b")
    assert (gap.difference, gap.ci95, gap.p, gap.separable) == (0.0, None, None, False)


def test_models_without_a_value_are_not_among_those_that_have_it():
    known = {"a": column_of(ITEMS, np.zeros(30)), "b": ScoreColumn((), (), (), np.zeros(0), 30)}
    assert MeanEstimates(known).models == ("a",)


def test_folds_are_those_of_the_shared_items(rng):
    a, b = rng.random(30), rng.random(18)
    joint = mean_estimates(a=a, b=b).joint(["a", "b"])
    for k, values in enumerate((a[:18], b)):
        by_fold = {f: [v for (fold, _, _), v in zip(ITEMS, values, strict=False) if fold == f] for f in "012"}
        assert joint.folds[k].means == pytest.approx({f: fmean(found) for f, found in by_fold.items()})


def test_bits_are_a_ratio_of_sums(rng):
    bits, events = -rng.random(30) * 20, rng.integers(2, 9, 30).astype(float)
    part = Likelihoods(tuple(ITEMS[:12]), bits[:12] - 1.0, events[:12])
    estimates = LikelihoodEstimates({"a": Likelihoods(tuple(ITEMS), bits, events), "b": part})
    assert estimates.models == ("a", "b")
    assert estimates.joint(["a"]).values == pytest.approx([bits.sum() / events.sum()])
    joint = estimates.joint(["a", "b"])
    assert joint.n == 12
    gap = joint.difference("a", "b")
    assert gap.difference == pytest.approx(12 / events[:12].sum())
    assert gap.ci95[0] < gap.difference < gap.ci95[1]


def test_an_impossible_path_is_minus_infinity_without_interval(rng):
    bits = -rng.random(30)
    never = np.where(np.arange(30) == 3, -np.inf, bits)
    events = np.full(30, 4.0)
    estimates = LikelihoodEstimates(
        {m: Likelihoods(tuple(ITEMS), own, events) for m, own in (("a", bits), ("b", never))}
    )
    joint = estimates.joint(["a", "b"])
    assert joint.values[1] == -math.inf
    assert joint.ci95("b") is None
    assert joint.ci95("a") == pytest.approx(estimates.joint(["a"]).ci95("a"))
    assert joint.difference("a", "b").ci95 is None


READERS = tuple(f"r{i}" for i in range(12) for _ in range(15))
SENTENCES = tuple(f"s{j}" for _ in range(12) for j in range(15))


def joint(**values):
    columns = {
        model: ScoreColumn(("0",) * len(own), READERS[: len(own)], SENTENCES[: len(own)], np.asarray(own))
        for model, own in values.items()
    }
    return MeanEstimates(columns).joint(list(values))


def test_a_clear_order_has_narrow_rank_intervals_and_ties_are_named():
    rng = np.random.default_rng(0)
    base = rng.random(180)
    found = rank(joint(worst=base + 0.5, best=base, nearly=base + rng.normal(0, 0.05, 180)))
    assert list(found)[-1] == "worst"
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
    both = joint(a=base, b=base + 1 + 0.01 * np.random.default_rng(2).random(180))
    found = rank(both, loss=np.negative)
    assert list(found) == ["b", "a"]
    assert found["a"].difference == pytest.approx(1, abs=0.02)
    # How much worse A is: the interval of B − A, not of A − B.
    assert found["a"].difference_ci95 == pytest.approx(both.difference("b", "a").ci95)


def test_the_gap_to_the_best_is_the_paired_difference():
    rng = np.random.default_rng(4)
    both = joint(a=rng.random(180), b=rng.random(180) + 0.1)
    gap = both.difference("b", "a")
    second = rank(both)["b"]
    assert (second.difference, second.difference_ci95) == (pytest.approx(gap.difference), gap.ci95)
    assert second.p_holm == gap.p  # a single comparison needs no adjustment
    assert second.tied_with_best == (gap.p >= ALPHA)


def test_eleven_models_far_apart_are_all_separable():
    """A p-value has no floor, so Holm over many comparisons leaves a clear difference clear."""
    rng = np.random.default_rng(3)
    base = rng.random(180)
    models = {f"m{k}": base + 0.35 * k + rng.normal(0, 0.2, 180) for k in range(11)}
    found = rank(joint(**models))
    assert list(found) == list(models)
    assert [place.tied_with_best for place in found.values()] == [True, *[False] * 10]
    assert [place.rank_interval for place in found.values()] == [(k, k) for k in range(1, 12)]
    assert max(place.p_holm for model, place in found.items() if model != "m0") < 1e-4


def test_the_nearer_to_one_the_better_where_a_metric_has_an_ideal():
    rng = np.random.default_rng(5)
    both = joint(under=0.7 + rng.normal(0, 0.05, 180), over=1.1 + rng.normal(0, 0.05, 180))
    found = rank(both, loss=METRICS["diversity"].loss)
    assert list(found) == ["over", "under"]
    assert found["under"].difference == pytest.approx(0.2, abs=0.02)
    low, high = found["under"].difference_ci95
    assert 0 < low < found["under"].difference < high
    assert not found["under"].tied_with_best


def test_ranks_count_who_loses_less():
    losses = np.random.default_rng(3).integers(0, 4, (50, 5)).astype(float)
    slow = [[1 + sum(other < own for other in row) for own in row] for row in losses.tolist()]
    assert ranks_of(losses).tolist() == slow


def test_where_nothing_varies_there_is_a_rank_and_no_interval():
    for found in (places(joint(a=[0.4], b=[0.2])), unsure_places(np.array([0.4, 0.2]))):
        assert [(p.rank, p.rank_interval, p.tied_with_best) for p in found] == [
            (2, None, None),
            (1, None, None),
        ]
        assert found[0].difference == pytest.approx(0.2)


def test_equal_models_are_tied():
    base = np.random.default_rng(6).random(180)
    found = rank(joint(a=base, b=base))
    assert [(p.rank, p.tied_with_best) for p in found.values()] == [(1, True), (1, True)]
    assert found["b"].difference_ci95 == (0.0, 0.0)


def test_same_seed_same_ranks():
    rng = np.random.default_rng(7)
    both = joint(a=rng.random(180), b=rng.random(180), c=rng.random(180))
    assert rank(both, seed=2) == rank(both, seed=2)


def test_models_without_shared_items_cannot_be_ranked():
    a = ScoreColumn(("0",), ("r1",), ("s1",), np.array([0.1]))
    b = ScoreColumn(("0",), ("r2",), ("s1",), np.array([0.1]))
    assert MeanEstimates({"a": a, "b": b}).joint(["a", "b"]) is None

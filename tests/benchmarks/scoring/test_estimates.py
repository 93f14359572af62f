"""Estimates of each kind of metric: values, shared items and paired differences against loops."""

from __future__ import annotations

import math
from statistics import fmean

import numpy as np
import pytest

from scandl_eval.metrics.score_table import Column, column_of
from scandl_eval.scoring.estimates import LikelihoodEstimates, Likelihoods, MeanEstimates

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
    known = {"a": column_of(ITEMS, np.zeros(30)), "b": Column((), (), (), np.zeros(0), 30)}
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

"""Estimates of each kind of metric: values, shared items and paired differences against loops."""

from __future__ import annotations

import math
from itertools import combinations, product
from statistics import fmean

import numpy as np
import pytest

from scandl.records import Scanpath
from scandl.statistics.clustered import CROSSED
from scandl.statistics.distances import nld
from scandl_eval.metrics.score_table import Column, column_of
from scandl_eval.scoring.estimates import (
    EnergyComparison,
    EnergyEstimates,
    LikelihoodEstimates,
    Likelihoods,
    MeanEstimates,
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


def paths_of(seed, readers=5, sentences=6):
    rng = np.random.default_rng(seed)
    return {
        (str(s % 3), f"r{r}", f"s{s}"): [Scanpath(f"r{r}", f"s{s}", tuple(rng.integers(0, 6, 5).tolist()))]
        for s in range(sentences)
        for r in range(readers)
    }


def humans_of(paths):
    found = {}
    for (_, _, sentence), (path,) in paths.items():
        found.setdefault(sentence, []).append(path)
    return found


def slow_energy(humans, paths, items):
    """The mean over sentences of 2 E d(X, Y) − E d(X, X') − E d(Y, Y'), of different readers; and the spreads."""
    energies, spreads = [], []
    for sentence in dict.fromkeys(s for _, _, s in items):
        x = humans[sentence]
        y = [path for item in items if item[2] == sentence for path in paths[item]]
        between = fmean(nld(a.words, b.words) for a, b in product(x, y) if a.reader_id != b.reader_id)
        within = [fmean(nld(a.words, b.words) for a, b in combinations(side, 2)) for side in (x, y)]
        energies.append(2 * between - sum(within))
        spreads.append(within)
    human, model = np.mean(spreads, axis=0)
    return fmean(energies), model / human


@pytest.mark.parametrize("alike", [True, False])
def test_energy_and_diversity_are_over_the_items_all_models_have(alike):
    humans, a, b = humans_of(paths_of(1)), paths_of(2), paths_of(3)
    if not alike:
        b = {item: paths for item, paths in b.items() if item[1] != "r4" and item[2] != "s5"}
    compared = EnergyComparison(humans, {"a": a, "b": b})
    assert compared.alike == alike
    for diversity in (False, True):
        estimates = EnergyEstimates(compared, diversity=diversity)
        assert estimates.models == ("a", "b")
        joint = estimates.joint(["a", "b"])
        expected = [slow_energy(humans, own, b)[diversity] for own in (a, b)]
        assert joint.values == pytest.approx(expected)
        assert joint.n == (6 if alike else 5)
        assert joint.uncertainty.resampled == CROSSED
        alone = estimates.joint(["a"])
        assert alone.values == pytest.approx([slow_energy(humans, a, a)[diversity]])
        low, high = joint.difference("a", "b").ci95
        assert low < joint.values[0] - joint.values[1] < high


def test_energy_within_a_fold_is_that_of_its_sentences():
    humans, a = humans_of(paths_of(1)), paths_of(2)
    joint = EnergyEstimates(EnergyComparison(humans, {"a": a})).joint(["a"])
    expected = {f: slow_energy(humans, a, [item for item in a if item[0] == f])[0] for f in "012"}
    assert joint.folds[0].means == pytest.approx(expected)


def test_energy_within_a_fold_of_readers_is_among_those_readers():
    """Where a sentence is tested in several folds, by different readers each time."""
    old = paths_of(1, readers=6)
    humans = humans_of(old)
    a = {(str(int(r[1]) % 2), r, s): paths for (_, r, s), paths in paths_of(2, readers=6).items()}
    joint = EnergyEstimates(EnergyComparison(humans, {"a": a})).joint(["a"])
    for fold in "01":
        items = [item for item in a if item[0] == fold]
        readers = {reader for _, reader, _ in items}
        own = {s: [p for p in paths if p.reader_id in readers] for s, paths in humans.items()}
        assert joint.folds[0].means[fold] == pytest.approx(slow_energy(own, a, items)[0])


def test_a_model_with_one_path_per_sentence_has_no_energy():
    humans, one = humans_of(paths_of(1)), {item: p for item, p in paths_of(2).items() if item[1] == "r0"}
    estimates = EnergyEstimates(EnergyComparison(humans, {"a": paths_of(2), "one": one}))
    assert estimates.models == ("a",)
    assert estimates.joint(["a", "one"]) is None

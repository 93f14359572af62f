"""Energy and diversity of several models against loops over pairs of paths, in place and in time."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product
from statistics import fmean

import numpy as np
import pytest

from scandl.records import Scanpath
from scandl.statistics.clustered import CROSSED
from scandl.statistics.distances import nld
from scandl_eval.scoring.energy_estimates import EnergyComparison, EnergyEstimates


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
        between = fmean(nld(a.positions, b.positions) for a, b in product(x, y) if a.reader_id != b.reader_id)
        within = [fmean(nld(a.positions, b.positions) for a, b in combinations(side, 2)) for side in (x, y)]
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


def timed(paths, seed):
    """The same paths with durations of 1 to 500 ms."""
    rng = np.random.default_rng(seed)
    return {
        item: [replace(p, durations=tuple(rng.integers(1, 500, len(p.positions)).tolist())) for p in own]
        for item, own in paths.items()
    }


def written(paths):
    """The paths with each word repeated by hand once per 50 ms."""
    found = {}
    for item, own in paths.items():
        found[item] = []
        for path in own:
            words = []
            for word, ms in zip(path.positions, path.durations, strict=True):
                words += [word] * max(1, int((ms + 25) // 50))
            found[item].append(replace(path, positions=tuple(words), durations=None))
    return found


def test_energy_of_timed_paths_is_that_of_repeated_words():
    old, a, b = (timed(paths_of(seed), seed) for seed in (1, 2, 3))
    compared = EnergyComparison(humans_of(old), {"a": a, "b": b}).seen_by("nld-time")
    humans = humans_of(written(old))
    for diversity in (False, True):
        joint = EnergyEstimates(compared, "nld-time", diversity).joint(["a", "b"])
        expected = [slow_energy(humans, written(own), own)[diversity] for own in (a, b)]
        assert joint.values == pytest.approx(expected)
        assert joint.uncertainty.resampled == CROSSED


def test_energy_of_timed_paths_is_energy_where_every_fixation_is_one_bin():
    def short(paths):
        return {item: [replace(p, durations=(50.0,) * 5) for p in own] for item, own in paths.items()}

    old, a = short(paths_of(1)), short(paths_of(2))
    compared = EnergyComparison(humans_of(old), {"a": a})
    in_time, in_place = (EnergyEstimates(compared.seen_by(k), k).joint(["a"]) for k in ("nld-time", "nld"))
    assert in_time.values == in_place.values
    assert in_time.ci95("a") == in_place.ci95("a")


def test_items_and_models_without_durations_leave_the_timed_comparison_only():
    old, a, untimed = timed(paths_of(1), 1), timed(paths_of(2), 2), paths_of(3)
    lacking = {i: own if i[1] != "r4" else [replace(own[0], durations=None)] for i, own in a.items()}
    compared = EnergyComparison(humans_of(old), {"a": lacking, "untimed": untimed})
    estimates = EnergyEstimates(compared.seen_by("nld-time"), "nld-time")
    assert estimates.models == ("a",)
    kept = [item for item in a if item[1] != "r4"]
    expected = slow_energy(humans_of(written(old)), written(a), kept)[0]
    assert estimates.joint(["a"]).values == pytest.approx([expected])
    assert EnergyEstimates(compared.seen_by("nld"), "nld").models == ("a", "untimed")

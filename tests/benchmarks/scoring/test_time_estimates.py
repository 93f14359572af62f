"""Metrics of durations of several models: values against numpy, uncertainty against a jackknife."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from scandl.records import Scanpath
from scandl.statistics.clustered import CROSSED
from scandl_eval.scoring.energy_estimates import EnergyComparison
from scandl_eval.scoring.time_estimates import MEASURES, TimeEstimates

TIMES = tuple(MEASURES)[:4]  # those of every run
SENTENCES, WORDS = 8, 7


def paths_of(seed, readers=12, scale=1.0, noise=0.3):
    """Every word once, at its own pace times that of the reader."""
    rng = np.random.default_rng(seed)
    word = np.random.default_rng(0).uniform(150, 300, (SENTENCES, WORDS))  # the same for everybody
    pace = rng.lognormal(0, 0.15, readers)
    return {
        (str(s % 2), f"r{r}", f"s{s}"): [
            Scanpath(
                f"r{r}",
                f"s{s}",
                tuple(range(WORDS)),
                tuple((scale * pace[r] * word[s] * rng.lognormal(0, noise, WORDS)).tolist()),
            )
        ]
        for s in range(SENTENCES)
        for r in range(readers)
    }


def humans_of(paths):
    found = {}
    for (_, _, sentence), own in paths.items():
        found.setdefault(sentence, []).extend(own)
    return found


def slow(metric, human, model):
    """The metric of two lists of paths in which everybody fixates every word once."""
    if metric == "word-time-correlation":
        sides = [
            np.concatenate(
                [
                    np.mean([p.durations for p in side if p.sentence_id == s], axis=0)
                    for s in sorted({p.sentence_id for p in side})
                ]
            )
            for side in (human, model)
        ]
        return np.corrcoef(*sides)[0, 1]
    x, y = (np.log([ms for p in side for ms in p.durations[1:]]) for side in (human, model))
    if metric == "duration-wasserstein":
        return stats.wasserstein_distance(x, y)
    return np.exp(y.mean() - x.mean()) if metric == "duration-mean-ratio" else y.std() / x.std()


def flat(paths, keep=lambda item: True):
    return [path for item, own in paths.items() if keep(item) for path in own]


@pytest.mark.parametrize("metric", TIMES)
def test_values_folds_and_shared_items(metric):
    old, a = paths_of(1), paths_of(2, scale=1.3, noise=0.5)
    b = {item: own for item, own in paths_of(3, scale=0.8).items() if item[2] != "s5"}
    estimates = TimeEstimates(EnergyComparison(humans_of(old), {"a": a, "b": b}), metric)
    assert estimates.models == ("a", "b")
    alone = estimates.joint(["a"])
    assert alone.values == pytest.approx([slow(metric, flat(old), flat(a))])
    for fold in "01":
        own = [flat(side, lambda item: item[0] == fold) for side in (old, a)]  # noqa: B023
        assert alone.folds[0].means[fold] == pytest.approx(slow(metric, *own))
    both = estimates.joint(["a", "b"])
    expected = [
        slow(metric, flat(old, lambda i: i[2] != "s5"), flat(m, lambda i: i[2] != "s5")) for m in (a, b)
    ]
    assert both.values == pytest.approx(expected)
    assert both.n == SENTENCES - 1
    assert both.uncertainty.resampled == CROSSED
    low, high = both.difference("a", "b").ci95
    assert low < both.values[0] - both.values[1] < high


@pytest.mark.parametrize("metric", TIMES)
@pytest.mark.parametrize("cluster", [1, 2])
def test_the_variance_by_reader_and_by_sentence_is_near_that_of_a_jackknife(metric, cluster):
    old, a = paths_of(4, readers=30), paths_of(5, readers=30, scale=1.4, noise=0.5)
    whole = TimeEstimates(EnergyComparison(humans_of(old), {"a": a}), metric).joint(["a"])
    names = sorted({item[cluster] for item in a})
    deleted = [
        slow(metric, *(flat(side, lambda item: item[cluster] != name) for side in (old, a)))  # noqa: B023
        for name in names
    ]
    jackknife = (len(names) - 1) / len(names) * ((np.array(deleted) - np.mean(deleted)) ** 2).sum()
    part = whole.uncertainty.readers if cluster == 1 else whole.uncertainty.sentences
    assert np.sqrt(part[0, 0]) == pytest.approx(np.sqrt(jackknife), rel=0.2)


def test_a_model_whose_paths_have_no_fixation_but_the_first_has_no_durations_to_compare():
    old = paths_of(1)
    short = {item: [replace(own[0], positions=(0,), durations=(200.0,))] for item, own in old.items()}
    compared = EnergyComparison(humans_of(old), {"short": short})
    assert all(TimeEstimates(compared, metric).models == () for metric in TIMES if "duration" in metric)


def test_paths_that_stand_for_nobody_are_readers_of_their_own():
    old, a = paths_of(1), paths_of(2)
    nobody = {
        ("0", "", s): [replace(p, reader_id="") for (_, _, of), (p,) in a.items() if of == s]
        for s in humans_of(old)
    }
    joint = TimeEstimates(EnergyComparison(humans_of(old), {"a": nobody}), "duration-mean-ratio").joint(["a"])
    assert joint.values == pytest.approx([slow("duration-mean-ratio", flat(old), flat(a))])
    assert joint.ci95("a") is not None


@pytest.mark.parametrize("metric", ["duration-mean-ratio-single", "word-time-correlation-FFD"])
def test_of_single_fixations_the_details_are_the_whole(metric):
    """Everybody fixates every word once: all fixations are of one kind, FFD and TFT are gaze durations."""
    human, model = paths_of(1), paths_of(2, scale=1.2)
    compared = EnergyComparison(humans_of(human), {"m": model})
    whole = metric.replace("-single", "").replace("-FFD", "")
    a, b = (TimeEstimates(compared.with_durations, name).joint(["m"]) for name in (metric, whole))
    assert a.values == pytest.approx(b.values)
    assert TimeEstimates(compared.with_durations, "duration-sd-ratio-regression").joint(["m"]) is None

"""Halves of readers in the metrics of durations, against loops over readers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from scandl.records import Scanpath
from scandl.seeds import stream
from scandl_eval.references.time_halves import time_halves
from scandl_eval.scoring.time_estimates import MEASURES

TIMES = tuple(MEASURES)[:4]  # those of every run


def readers_of(seed, n=10, sentences=5, effect=120.0):
    """Readers who look longer at some words: word w of every sentence has its own mean."""
    rng = np.random.default_rng(seed)
    mean = 150 + effect * rng.random((sentences, 8))
    return {
        f"s{s}": [
            Scanpath(f"r{r}", f"s{s}", tuple(range(8)), tuple((mean[s] * rng.lognormal(0, 0.3, 8)).tolist()))
            for r in range(n)
        ]
        for s in range(sentences)
    }


def slow(humans, metric, splits, seed):
    names = sorted({path.reader_id for paths in humans.values() for path in paths})
    half = np.tile(np.arange(len(names)) < len(names) // 2, (splits, 1))
    values = []
    for side in stream(seed, "halves").permuted(half, axis=1):
        first = {name for name, one in zip(names, side, strict=True) if one}
        paths = [path for found in humans.values() for path in found]
        groups = [[p for p in paths if (p.reader_id in first) == one] for one in (True, False)]
        if metric == "word-time-correlation":
            means = [
                np.concatenate(
                    [np.mean([p.durations for p in own if p.sentence_id == s], axis=0) for s in humans]
                )
                for own in groups
            ]
            r = np.corrcoef(*means)[0, 1]
            values.append(2 * r / (1 + r))
            continue
        one, other = (np.log([ms for p in own for ms in p.durations[1:]]) for own in groups)
        values.append(
            {
                "duration-wasserstein": stats.wasserstein_distance(one, other),
                "duration-mean-ratio": np.exp(other.mean() - one.mean()),
                "duration-sd-ratio": other.std() / one.std(),
            }[metric]
        )
    return np.mean(values), np.quantile(values, [0.025, 0.975])


@pytest.mark.parametrize("metric", TIMES)
def test_agrees_with_loops_over_readers(metric):
    humans = readers_of(1)
    found = time_halves(humans, metric, seed=4, splits=25)
    mean, interval = slow(humans, metric, 25, 4)
    assert found.mean == pytest.approx(mean)
    assert found.ci95 == pytest.approx(tuple(interval))
    assert found.n_sentences == 5


def test_readers_who_agree_on_words_have_a_higher_ceiling():
    strong, weak = (
        time_halves(readers_of(2, effect=effect), "word-time-correlation", seed=1).mean
        for effect in (300.0, 20.0)
    )
    assert strong > 0.8 > weak


def test_too_few_readers_with_durations_have_no_halves():
    humans = {
        s: [p if k < 3 else Scanpath(p.reader_id, s, p.positions) for k, p in enumerate(paths)]
        for s, paths in readers_of(3, n=6).items()
    }
    assert all(time_halves(humans, metric, seed=1) is None for metric in TIMES)

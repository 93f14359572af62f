"""The metrics of time on a real corpus, against lists, scipy and numpy; readers against readers."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import replace
from statistics import fmean

import numpy as np
import pytest
from rapidfuzz.distance import Levenshtein
from scipy import stats

from scandl.corpora import read_corpus
from scandl.records import Prediction
from scandl_eval import compare, evaluate
from scandl_eval.scoring.time_estimates import MEASURES

OF_TIME = ("nld-time", "energy-time", "diversity-time", *MEASURES)


@pytest.fixture
def corpus(shared):
    return read_corpus(shared("schilling"))


def halves(corpus):
    """One half of the readers as they are, the other half standing for them as a model."""
    readers = sorted({path.reader_id for path in corpus.scanpaths})
    first, second = readers[0::2], readers[1::2]
    stands_for = dict(zip(second, first, strict=False))
    return [
        Prediction(
            path.sentence_id,
            path.positions,
            reader_id=stands_for[path.reader_id],
            model="other half",
            durations=path.durations,
        )
        for path in corpus.scanpaths
        if path.reader_id in stands_for and (stands_for[path.reader_id], path.sentence_id) in corpus.by_pair
    ]


def by_metric(found, model):
    return {row.metric: row for row in found.rows if row.model == model}


def test_one_half_of_the_readers_is_at_the_ideal_of_the_other(corpus):
    rows = by_metric(evaluate(halves(corpus), corpus=corpus, metrics=OF_TIME), "other half")
    low, high = rows["energy-time"].ci95
    assert low < 0.0 < high
    for name in ("diversity-time", "duration-mean-ratio", "duration-sd-ratio"):
        low, high = rows[name].ci95
        assert low < 1.0 < high, name
    assert rows["duration-wasserstein"].mean < 0.1


def test_values_are_those_of_lists_scipy_and_numpy(corpus):
    predictions = halves(corpus)
    rows = by_metric(evaluate(predictions, corpus=corpus, metrics=OF_TIME), "other half")
    distances, human_ms, model_ms = [], [], []
    gazes = {"human": defaultdict(list), "model": defaultdict(list)}
    for p in predictions:
        human = corpus.by_pair[p.reader_id, p.sentence_id]
        sides = {"human": (human.positions, human.durations), "model": (p.predicted, p.durations)}
        written = [
            [w for w, ms in zip(words, times, strict=True) for _ in range(max(1, math.floor(ms / 50 + 0.5)))]
            for words, times in sides.values()
        ]
        distances.append(Levenshtein.distance(*written) / max(map(len, written)))
        human_ms += human.durations[1:]
        model_ms += p.durations[1:]
        for side, (words, times) in sides.items():
            for word in set(words):
                start = words.index(word)
                if start and max(words[:start]) > word:
                    continue  # first fixated after a word to its right
                end = start
                while end < len(words) and words[end] == word:
                    end += 1
                gazes[side][p.sentence_id, word].append(sum(times[start:end]))
    x, y = np.log(human_ms), np.log(model_ms)
    words = [word for word in gazes["human"] if word in gazes["model"]]
    expected = {
        "nld-time": fmean(distances),
        "duration-wasserstein": stats.wasserstein_distance(x, y),
        "duration-mean-ratio": math.exp(y.mean() - x.mean()),
        "duration-sd-ratio": y.std() / x.std(),
        "word-time-correlation": np.corrcoef(*([fmean(gazes[side][w]) for w in words] for side in gazes))[
            0, 1
        ],
    }
    assert {name: rows[name].mean for name in expected} == pytest.approx(expected)


def test_slower_readers_are_told_apart_in_time_only(corpus):
    same = halves(corpus)
    slow = [replace(p, model="slow", durations=tuple(2.0 * ms for ms in p.durations)) for p in same]
    metrics = ["nld", "energy-time", "duration-mean-ratio", "word-time-correlation"]
    pairs = {pair.metric: pair for pair in compare([*same, *slow], corpus=corpus, metrics=metrics).pairs}
    assert pairs["nld"].difference == 0.0
    assert pairs["energy-time"].difference < -0.1
    assert pairs["energy-time"].p < 0.001
    assert pairs["duration-mean-ratio"].mean_b == pytest.approx(2.0 * pairs["duration-mean-ratio"].mean_a)
    assert pairs["word-time-correlation"].difference == pytest.approx(0.0, abs=1e-12)

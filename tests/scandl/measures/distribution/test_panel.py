from __future__ import annotations

from itertools import groupby

import numpy as np
import pytest
from scipy.stats import wasserstein_distance

from scandl.corpora.corpus_statistics import corpus_statistics
from scandl.errors import ScandlError
from scandl.measures.distribution.panel import (
    FROM,
    QUANTITIES,
    TO,
    compare_transitions,
    panel,
    transition_counts,
)
from scandl.records import Scanpath


def test_wasserstein_of_pooled_values_where_sentences_have_equally_many_paths(readings, n_words):
    human, model = readings(1), readings(2, pace=4)
    found = panel(human, model, n_words, resamples=0)
    for name, quantity in QUANTITIES.items():
        pooled = [[v for p in side for v in quantity.values(p.positions, 8)] for side in (human, model)]
        difference = found.differences[name]
        assert difference.wasserstein == pytest.approx(wasserstein_distance(*pooled))
        assert (difference.human_mean, difference.model_mean) == pytest.approx([np.mean(v) for v in pooled])
        assert difference.wasserstein_ci95 is None


def test_quantities_by_hand():
    path = (1, 1, 0, 3, 3, 3)  # of 4 words: 0 and 2 skipped in first pass; only 1 left for the left
    found = {name: list(quantity.values(path, 4)) for name, quantity in QUANTITIES.items()}
    assert found == {
        "saccade length": [0, -1, 3, 0, 0],
        "path length": [6],
        "fixations per word": [1, 2, 0, 3],
        "skip rate": [0.5],
        "regression rate": [0.25],
        "run length": [2, 1, 3],
    }
    assert found["run length"] == [len(list(run)) for _, run in groupby(path)]


def test_how_many_paths_a_sentence_has_makes_no_difference(readings, n_words):
    """One sentence is read slowly, one fast; copies of one side's paths must not shift the mixture."""
    slow, fast = readings(1, sentences=1, pace=2), readings(2, sentences=1, pace=6)
    fast = [Scanpath(p.reader_id, "s1", p.positions) for p in fast]
    once = panel(slow + fast, slow + fast, n_words, resamples=0)
    unequal = panel(slow + fast, slow * 5 + fast, n_words, resamples=0)
    for name in QUANTITIES:
        assert once.differences[name].wasserstein == pytest.approx(0.0, abs=1e-12)
        assert unequal.differences[name].wasserstein == pytest.approx(0.0, abs=1e-12)
        assert unequal.differences[name].jensen_shannon == pytest.approx(0.0, abs=1e-12)
    assert unequal.transitions.difference == pytest.approx(0.0, abs=1e-12)
    assert unequal.human_curve == pytest.approx(unequal.model_curve)


def test_the_interval_holds_the_estimate_and_the_floor_is_what_readers_differ_by(readings, n_words):
    human = readings(1, sentences=20, readers=10)
    same = panel(human, readings(2, sentences=20, readers=10), n_words, resamples=200)
    fast = panel(human, readings(3, sentences=20, readers=10, pace=5), n_words, resamples=200)
    for name in QUANTITIES:
        for difference in (same.differences[name], fast.differences[name]):
            assert difference.wasserstein_ci95 is not None
            low, high = difference.wasserstein_ci95
            assert 0 <= low <= difference.wasserstein <= high
        near, far = same.differences[name], fast.differences[name]
        assert near.wasserstein < 2 * near.wasserstein_floor
        assert near.jensen_shannon < 2 * near.jensen_shannon_floor
        if name in ("saccade length", "skip rate"):
            assert far.wasserstein > 2 * far.wasserstein_floor


def test_curve_and_transitions_by_hand():
    human = [Scanpath("a", "s", (0, 2)), Scanpath("b", "s", (0, 1, 2)), Scanpath("a", "t", (0, 1))]
    found = panel(human, human, {"s": 3, "t": 2}, resamples=0)
    assert found.human_curve.tolist() == [1.0, 0.75, 1.0]  # word 1: half of s, all of t; word 2 only in s
    start = found.transitions.human[FROM.index("START")]
    assert start[TO.index("+1")] == 1.0
    # what follows +1: in a +2 (weight 1/2), in b +1 twice and END (1/2 each), in t +1 and END (1 each)
    row = found.transitions.human[FROM.index("+1")]
    assert row[[TO.index("+1"), TO.index("+2"), TO.index("END")]].tolist() == [0.5, 0.125, 0.375]
    assert np.isnan(found.transitions.human[FROM.index("-3")]).all()


def test_a_row_the_model_never_reaches_counts_fully():
    human, model = [Scanpath("a", "s", (1, 0))], [Scanpath("a", "s", (1, 2))]
    found = panel(human, model, {"s": 3}, resamples=0).transitions
    # START agrees; after +2 they part; after −1 the model never comes: (0 + 1 + 1) / 3
    assert found.difference == pytest.approx(2 / 3)


def test_what_cannot_be_compared(readings, n_words):
    assert panel(readings(1, sentences=2), readings(2, sentences=1), n_words, resamples=0).left_out == ("s1",)
    still = [Scanpath("a", "s0", (3,))]
    saccades = panel(still, still, n_words, resamples=10).differences["saccade length"]
    assert np.isnan(saccades.wasserstein)
    assert saccades.wasserstein_ci95 is None
    with pytest.raises(ScandlError, match="no sentence has human and generated scanpaths"):
        panel([], readings(1), n_words)


def test_a_published_simulation_regresses_too_seldom(simulation):
    corpus, paths = simulation("swift")
    n_words = {key: sentence.n_words for key, sentence in corpus.sentences.items()}
    found = panel(corpus.scanpaths, paths, n_words, resamples=0).differences
    human = corpus_statistics(corpus)
    assert found["regression rate"].human_mean == pytest.approx(human.regression_rate, abs=0.003)
    assert found["skip rate"].human_mean == pytest.approx(human.skipping_rate, abs=0.003)
    assert found["regression rate"].model_mean == pytest.approx(0.035, abs=0.001)
    assert found["regression rate"].wasserstein > 5 * found["regression rate"].wasserstein_floor


def named(counts):
    return {(FROM[i], TO[j]): int(counts[i, j]) for i, j in np.argwhere(counts)}


def test_each_step_follows_the_one_before():
    assert named(transition_counts((1, 1, 0, 9))) == {
        ("START", "+2"): 1,
        ("+2", "+0"): 1,
        ("+0", "-1"): 1,
        ("-1", "+3"): 1,
        ("+3", "END"): 1,
    }
    assert transition_counts(()).sum() == 0


def test_a_path_of_n_fixations_has_n_plus_one_transitions(readings):
    for path in readings(1):
        assert transition_counts(path.positions).sum() == path.n_fixations + 1


def test_rows_are_probabilities_and_the_difference_is_their_weighted_total_variation():
    human, model = transition_counts((0, 1)) + transition_counts((0, 2)), transition_counts((0, 1)) * 5
    found = compare_transitions(human, model)
    assert np.nansum(found.human, axis=1)[[0, FROM.index("+1"), FROM.index("+2")]] == pytest.approx(1.0)
    # START, used twice, agrees. After +1, used 3 times: human +1 ⅓, +2 ⅓, END ⅓; model +1 ½, END ½.
    # After +2, used once, the model never is.
    assert found.difference == pytest.approx((3 * (1 / 3) + 1) / 6)

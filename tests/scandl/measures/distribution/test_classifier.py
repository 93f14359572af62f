from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from scandl.corpora import read_corpus
from scandl.corpora.corpus_statistics import corpus_statistics
from scandl.errors import ScandlError
from scandl.measures.distribution.classifier import (
    FEATURES,
    _fold,
    _held_out,
    auc,
    classifier_test,
    logistic,
    matched,
    path_features,
)
from scandl.records import Scanpath


@pytest.mark.parametrize("seed", range(50))
def test_auc_agrees_with_sklearn_and_with_counting_pairs(seed):
    rng = np.random.default_rng(seed)
    scores, positive = rng.integers(0, 6, 40).astype(float), rng.random(40) < 0.4  # many ties
    won = [(p > n) + 0.5 * (p == n) for p in scores[positive] for n in scores[~positive]]
    assert auc(scores, positive) == pytest.approx(roc_auc_score(positive, scores))
    assert auc(scores, positive) == pytest.approx(np.mean(won))


@pytest.mark.parametrize("ridge", [0.1, 1.0, 10.0])
def test_logistic_regression_agrees_with_sklearn(ridge):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 5))
    y = X @ [1.0, -0.5, 0, 0, 2.0] + rng.normal(size=300) > 0.8
    theirs = LogisticRegression(C=1 / ridge, class_weight="balanced", tol=1e-10, max_iter=10_000).fit(X, y)
    weights, intercept = logistic(X, y, ridge)
    assert weights == pytest.approx(theirs.coef_[0], abs=1e-5)
    assert intercept == pytest.approx(theirs.intercept_[0], abs=1e-5)


def test_separable_classes_keep_finite_weights():
    X = np.linspace(-50, 50, 40)[:, None]
    weights, _ = logistic(X, X[:, 0] > 0)
    assert np.isfinite(weights).all()
    assert weights[0] > 0


def test_no_tested_path_shares_sentence_or_reader_with_its_training():
    """Each reader and each sentence has its own feature; a classifier that had seen one would use it."""
    rng = np.random.default_rng(2)
    reader, sentence = (grid.ravel() for grid in np.meshgrid(np.arange(12), np.arange(12)))
    generated = (reader + sentence + rng.integers(0, 2, 144)) % 2 == 0
    X = np.hstack([np.eye(12)[reader] * (2 * generated[:, None] - 1), np.eye(12)[sentence]])
    folds = [_fold(clusters, 4, rng) for clusters in (sentence, reader)]
    for clusters, fold in zip((sentence, reader), folds, strict=True):
        assert all(len(set(fold[clusters == c])) == 1 for c in range(12))
        assert sorted(np.bincount(fold)) == [36] * 4
    scores, betas = _held_out(X, generated, *folds, ridge=1.0)
    assert betas.shape == (16, 24)
    assert not np.isnan(scores).any()
    # The reader's column was constant 0 in training, so nothing of it can be known in the test.
    assert auc(scores, generated) == pytest.approx(0.5, abs=0.15)


def test_readers_of_one_kind_cannot_be_told_apart_and_others_can(readings, n_words):
    human = readings(1, sentences=25, readers=12)
    same = classifier_test(human, readings(2, sentences=25, readers=12), n_words, resamples=300)
    assert same.auc == pytest.approx(0.5, abs=0.08)
    assert same.ci95 is not None
    assert same.ci95[0] < 0.5 < same.ci95[1]
    fast = classifier_test(human, readings(2, sentences=25, readers=12, pace=5), n_words, resamples=300)
    assert fast.auc > 0.7
    assert fast.ci95 is not None
    assert 0.5 < fast.ci95[0] < fast.auc < fast.ci95[1]
    assert fast.weights["forward saccade mean"] > 0
    assert (fast.n_human, fast.n_model) == (300, 300)


def test_unknown_readers_are_held_apart_by_sentence_only(readings, n_words):
    human, model = ([Scanpath("", p.sentence_id, p.positions) for p in readings(s, pace=s)] for s in (2, 5))
    assert classifier_test(human, model, n_words, resamples=0).auc > 0.8
    nobody = [Scanpath("sample", p.sentence_id, p.positions) for p in readings(5, pace=5)]
    assert classifier_test(readings(2), nobody, n_words, resamples=0).auc > 0.6


def test_only_shared_sentences_count(readings, n_words):
    found = classifier_test(readings(1, sentences=12), readings(2, sentences=6), n_words, resamples=0)
    assert found.n_human == found.n_model == 48
    assert found.ci95 is None
    with pytest.raises(ScandlError, match="fewer than two sentences"):
        classifier_test(readings(1, sentences=1), readings(2, sentences=1), n_words)


def test_the_published_simulations_are_told_from_readers_by_where_they_start(simulation):
    corpus, paths = simulation("seam")
    n_words = {key: sentence.n_words for key, sentence in corpus.sentences.items()}
    found = classifier_test(corpus.scanpaths, paths, n_words, resamples=0)
    assert found.auc > 0.99
    assert max(found.weights, key=lambda name: abs(found.weights[name])) == "first word"


def test_every_feature_by_hand():
    path = (1, 1, 0, 3, 3, 9)  # of 10 words; steps 0 −1 +3 0 +6
    assert dict(zip(FEATURES, path_features(path, 10), strict=True)) == pytest.approx(
        {
            "fixations per word": 0.6,
            "skip rate": 0.7,
            "regression rate": 0.1,
            "refixation rate": 0.4,
            "forward saccade mean": 4.5,
            "forward saccade SD": 1.5,
            "backward saccade mean": 1.0,
            "backward saccade SD": 0.0,
            "first word": 0.1,
            "last word": 0.9,
            "words fixated": 0.4,
            "steps -3": 0,
            "steps -2": 0,
            "steps -1": 0.2,
            "steps +0": 0.4,
            "steps +1": 0,
            "steps +2": 0,
            "steps +3": 0.4,
        }
    )


@pytest.mark.parametrize("path", [(), (2,)])
def test_paths_without_saccades_have_zeros(path):
    found = dict(zip(FEATURES, path_features(path, 5), strict=True))
    assert found["refixation rate"] == found["forward saccade mean"] == found["steps +0"] == 0
    assert found["words fixated"] == len(path) / 5


def test_rates_are_those_of_the_corpus_check(shared):
    """Those of a corpus are over all words, or all transitions: paths count by how many they have."""
    corpus = read_corpus(shared("schilling"))
    n_words = [corpus.sentences[p.sentence_id].n_words for p in corpus.scanpaths]
    n_steps = [p.n_fixations - 1 for p in corpus.scanpaths]
    rows = [
        dict(zip(FEATURES, path_features(p.positions, n), strict=True))
        for p, n in zip(corpus.scanpaths, n_words, strict=True)
    ]
    expected = corpus_statistics(corpus)
    for name, value, counted in (
        ("skip rate", expected.skipping_rate, n_words),
        ("regression rate", expected.regression_rate, n_words),
        ("refixation rate", expected.refixations, n_steps),
        ("fixations per word", expected.fixations_per_word, n_words),
    ):
        total = sum(row[name] * n for row, n in zip(rows, counted, strict=True))
        assert total / sum(counted) == pytest.approx(value, abs=1e-9)


def test_sides_are_matched_by_sentence_and_the_rest_is_named():
    human = [Scanpath("a", "s", (0,)), Scanpath("b", "s", (1,)), Scanpath("a", "t", (2,))]
    model = [Scanpath("a", "s", (3,)), Scanpath("a", "u", (4,))]
    found = matched(human, model)
    assert [(item.sentence_id, item.paths) for item in found.items] == [("s", [(0,), (1,), (3,)])]
    assert found.left_out == ("t", "u")
    assert matched(human, model, min_model=2).items == ()

from __future__ import annotations

import pytest

from scandl.corpora import read_corpus
from scandl.corpora.corpus_statistics import corpus_statistics
from scandl.measures.distribution.features import FEATURES, matched, path_features
from scandl.records import Scanpath


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

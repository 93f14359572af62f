from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scandl.corpora import read_corpus
from scandl.errors import ScandlError
from scandl.records import Scanpath
from scandl_eval.metrics.nld import nld, pairwise
from scandl_eval.references.human_ceilings import (
    CEILINGS,
    all_pairs,
    best_other,
    human_ceiling,
    medoid,
    one_other,
    same_n,
    split_half,
)
from scandl_eval.references.reader_pairs import ReaderPairs

PATHS = st.lists(st.lists(st.integers(0, 4), max_size=6).map(tuple), min_size=3, max_size=7)


@pytest.fixture(scope="module")
def corpora():
    found = {}

    def get(folder):
        if folder not in found:
            found[folder] = read_corpus(folder)
        return found[folder]

    return get


def slow(name, paths, i):
    """Each ceiling written as it is defined, for reader ``i``."""
    others = [j for j in range(len(paths)) if j != i]
    distance = {j: nld(paths[i], paths[j]) for j in others}
    if name == "all-pairs":
        return sum(distance.values()) / len(others)
    if name == "best-other":
        return min(distance.values())
    total = {j: sum(nld(paths[j], paths[k]) for k in others if k != j) for j in others}
    return distance[next(j for j in others if total[j] <= min(total.values()) + 1e-9)]


@given(PATHS)
@pytest.mark.parametrize("name", ["all-pairs", "best-other", "medoid"])
def test_ceilings_agree_with_their_definitions(name, paths):
    humans = {"s": [Scanpath(f"r{i}", "s", path) for i, path in enumerate(paths)]}
    found = human_ceiling(humans, name)
    assert found.column.values.tolist() == pytest.approx([slow(name, paths, i) for i in range(len(paths))])


@given(PATHS, st.integers(0, 99))
def test_nobody_is_compared_with_oneself(paths, seed):
    distances = np.ones((len(paths), len(paths))) - np.eye(len(paths))
    rng = np.random.default_rng(seed)
    n = len(paths)
    for partners in (
        all_pairs(n), one_other(n, rng), split_half(n, rng), same_n(n, 2, rng), medoid(distances),
        best_other(distances),
    ):  # fmt: skip
        assert not partners.diagonal().any()
        assert partners.sum(axis=1).min() >= 1


def test_random_partners_have_the_expectation_of_all_pairs():
    rng = np.random.default_rng(2)
    paths = [tuple(rng.integers(0, 5, 6).tolist()) for _ in range(6)]
    distances = pairwise(paths, paths)
    every = distances.sum(axis=1) / 5
    for drawn in (lambda: one_other(6, rng), lambda: same_n(6, 3, rng), lambda: split_half(6, rng)):
        means = [ReaderPairs.of(tuple("abcdef"), drawn(), distances).means for _ in range(4000)]
        np.testing.assert_allclose(np.mean(means, axis=0), every, atol=0.02)
    np.testing.assert_array_equal(same_n(6, 99, rng), all_pairs(6))
    assert [same_n(6, k, rng).sum(axis=1).tolist() for k in (1, 3)] == [[1.0] * 6, [3.0] * 6]


def test_two_readers_who_agree_are_as_near_as_can_be():
    """In a group of copies even an honest ceiling is 0: that is why copies of draws must not count as readers."""
    humans = {"s": [Scanpath(r, "s", (0, 1)) for r in "ab"], "t": [Scanpath("a", "t", (0,))]}
    found = human_ceiling(humans)
    assert found.column.values.tolist() == [0.0, 0.0]
    assert found.excluded == ("t",)
    assert found.readers_per_sentence == 2


def test_only_the_items_of_the_model_are_scored():
    humans = {"s": [Scanpath(r, "s", (i,)) for i, r in enumerate("abc")]}
    found = human_ceiling(humans, items=[("3", "b", "s"), ("3", "x", "s"), ("3", "a", "unread")])
    assert found.column.items == [("3", "b", "s")]
    assert found.excluded == ("unread",)


def test_an_unknown_ceiling_is_named():
    with pytest.raises(ScandlError, match="no ceiling 'all-pair'; did you mean 'all-pairs'"):
        human_ceiling({}, "all-pair")


REFERENCE = {
    ("schilling", "all-pairs"): (0.5287, 0.4475),
    ("schilling", "medoid"): (0.4310, 0.3606),
    ("schilling", "best-other"): (0.3010, 0.2515),
    ("mertzen", "all-pairs"): (0.7078, 0.6670),
    ("mertzen", "medoid"): (0.6635, 0.6208),
    ("mertzen", "best-other"): (0.5692, 0.5318),
    ("onestop-sample", "all-pairs"): (0.7129, 0.6439),
    ("onestop-sample", "best-other"): (0.6903, 0.6224),
}


@pytest.mark.parametrize(("corpus", "name"), REFERENCE)
def test_real_corpora_have_the_known_ceilings(shared, corpora, corpus, name):
    humans = corpora(shared(corpus)).by_sentence
    found = [
        human_ceiling(humans, name, kernel=kernel).column.mean_over_sentences
        for kernel in ("nld", "nld-scandl")
    ]
    assert found == pytest.approx(REFERENCE[corpus, name], abs=5e-5)


def test_medoid_of_three_readers_takes_the_first_of_two(shared, corpora):
    """With three readers both others are equally central; the known values take the first."""
    humans = corpora(shared("onestop-sample")).by_sentence
    words, scandl = (
        human_ceiling(humans, "medoid", kernel=kernel).column for kernel in ("nld", "nld-scandl")
    )
    assert len(set(words.sentences)) == 68
    assert words.mean_over_sentences == pytest.approx(0.686, abs=5e-4)
    assert scandl.mean_over_sentences == pytest.approx(0.626, abs=5e-4)


def test_who_is_central_does_not_depend_on_how_distances_are_scored():
    """By edits without norm the short path would be central; NLD of words decides in every convention."""
    paths = {"a": (0, 1, 2, 3, 4, 5, 6, 7), "b": (0, 1, 2, 3, 4, 5, 8, 9), "c": (0,), "d": (1,)}
    humans = {"s": [Scanpath(reader, "s", path) for reader, path in paths.items()]}
    words = [*paths.values()]
    chosen, by_edits = medoid(pairwise(words, words)), medoid(pairwise(words, words, "levenshtein"))
    assert (chosen != by_edits).any()
    for kernel in ("nld", "levenshtein"):
        found = human_ceiling(humans, "medoid", kernel=kernel).column.values
        expected = (chosen * pairwise(words, words, kernel)).sum(axis=1)
        np.testing.assert_allclose(found, expected)


@pytest.mark.parametrize("corpus", ["schilling", "mertzen"])
def test_halves_have_the_mean_of_all_pairs(shared, corpora, corpus):
    humans = corpora(shared(corpus)).by_sentence
    half = human_ceiling(humans, "split-half").column.mean_over_sentences
    assert half == pytest.approx(REFERENCE[corpus, "all-pairs"][0], abs=0.003)


def test_some_of_the_items_keep_their_partners():
    humans = {s: [Scanpath(r, s, (i, k)) for i, r in enumerate("abc")] for k, s in enumerate("st")}
    whole = human_ceiling(humans)
    part = whole.at([("0", "b", "t"), ("0", "a", "s")])
    assert part.column.items == [("0", "b", "t"), ("0", "a", "s")]
    assert part.column.values.tolist() == [whole.column.values[4], whole.column.values[0]]
    assert part.pairs is whole.pairs


def test_every_ceiling_says_what_it_is():
    assert all(rule.about and rule.least_readers >= 2 for rule in CEILINGS.values())

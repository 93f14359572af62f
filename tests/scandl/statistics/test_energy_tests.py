from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from scandl.corpora import read_corpus
from scandl.statistics.energy import energy_distance, energy_terms
from scandl.statistics.energy_tests import half_against_half, permutation_p


def words(paths):
    return [path.words for path in paths]


def test_the_permutation_test_keeps_its_level_and_finds_a_difference(readings):
    same = [
        permutation_p(readings(seed), readings(seed + 1000), permutations=99, seed=seed) for seed in range(60)
    ]
    assert np.mean(np.array(same) <= 0.1) == pytest.approx(0.1, abs=0.1)
    assert np.mean(same) == pytest.approx(0.5, abs=0.12)
    assert permutation_p(readings(1), readings(2, pace=5), permutations=199) == 1 / 200


def test_the_permutation_test_agrees_with_relabelling_by_hand(readings):
    human, model = readings(1, sentences=3, readers=4), readings(2, sentences=3, readers=3, pace=4)
    observed = np.mean([energy_distance(words(human[s]), words(model[s])) for s in human])
    rng = np.random.default_rng(0)
    null = []
    for _ in range(500):
        total = 0.0
        for s in human:
            paths = words([*human[s], *model[s]])
            mixed = [paths[i] for i in rng.permutation(7)]
            total += energy_distance(mixed[:4], mixed[4:])
        null.append(total / 3)
    by_hand = np.mean(np.array(null) >= observed - 1e-9)
    found = permutation_p(human, model, permutations=2000)
    assert found == pytest.approx(by_hand, abs=4 * math.sqrt(0.25 / 500))


def test_without_two_paths_on_each_side_there_is_no_test(readings):
    human = readings(1, sentences=2)
    assert permutation_p(human, {s: paths[:1] for s, paths in human.items()}) is None
    assert permutation_p(human, {}) is None


@pytest.mark.parametrize("n", [5, 6])  # with five readers the halves are of two and three
def test_halves_have_the_mean_and_the_range_of_all_splits(n, readings):
    human = readings(4, sentences=1, readers=n)
    paths = words(human["s0"])
    exact = [
        energy_distance([paths[i] for i in half], [paths[i] for i in range(n) if i not in half])
        for half in combinations(range(n), n // 2)
    ]
    found = half_against_half(human, splits=20_000)
    assert found.mean == pytest.approx(np.mean(exact), abs=0.01)
    # The quantiles of 10 or 20 equally likely values are among them; sampling may take a neighbour.
    near = np.sort(exact)
    assert near[0] - 1e-9 <= found.ci95[0] <= near[1] + 1e-9
    assert near[-2] - 1e-9 <= found.ci95[1] <= near[-1] + 1e-9
    assert np.std(exact) > 0.05


def test_a_reader_is_on_one_side_in_every_sentence(readings):
    """A second sentence that is a copy of the first changes nothing; splits of paths would narrow the range."""
    one = readings(4, sentences=1, readers=8)
    copies = {name: [replace(path, sentence_id=name) for path in one["s0"]] for name in ("a", "b", "c")}
    alone, thrice = half_against_half(one), half_against_half(copies)
    assert (thrice.mean, thrice.ci95) == (pytest.approx(alone.mean), pytest.approx(alone.ci95))
    assert (alone.n_sentences, thrice.n_sentences) == (1, 3)


def test_too_few_readers_have_no_halves(readings):
    assert half_against_half(readings(1, readers=3)) is None
    mixed = readings(1, sentences=2, readers=6)
    mixed["s1"] = mixed["s1"][:3]
    assert half_against_half(mixed).n_sentences == 1


def test_same_seed_same_halves(readings):
    human = readings(1)
    assert half_against_half(human, seed=3) == half_against_half(human, seed=3)
    assert half_against_half(human, seed=3) != half_against_half(human, seed=4)


@pytest.mark.parametrize("corpus", ["schilling", "mertzen"])
def test_halves_of_real_readers_are_at_zero(shared, corpus):
    human = read_corpus(shared(corpus)).by_sentence
    found = half_against_half(human)
    assert found.mean == pytest.approx(0.0, abs=0.002)
    assert found.ci95[0] < 0 < found.ci95[1]
    # One half is farther from the other than a mean over splits is from zero.
    assert found.ci95[1] - found.ci95[0] > 10 * abs(found.mean)


def test_a_real_half_is_within_the_range_of_halves(shared):
    corpus = read_corpus(shared("schilling"))
    readers = sorted({path.reader_id for path in corpus.scanpaths})
    found = half_against_half(corpus.by_sentence)
    inside = 0
    for seed in range(40):
        order = np.random.default_rng(seed).permutation(len(readers))
        first = {readers[i] for i in order[: len(readers) // 2]}
        sides = [
            {
                s: [p for p in paths if (p.reader_id in first) == side]
                for s, paths in corpus.by_sentence.items()
            }
            for side in (True, False)
        ]
        value = float(energy_terms(sides[0], {"m": sides[1]}).distances[0])
        inside += found.ci95[0] <= value <= found.ci95[1]
    assert 33 <= inside <= 40

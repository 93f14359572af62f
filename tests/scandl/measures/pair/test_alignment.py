from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from scandl.measures.pair.alignment import alignment_cost, binned, scanmatch, scasim, weighted_edit


@pytest.mark.parametrize("seed", range(20))
def test_agrees_with_the_recursive_definition(seed, slow_alignment):
    rng = np.random.default_rng(seed)
    for _ in range(25):
        m, n = rng.integers(0, 9, 2)
        prices = rng.normal(size=(m, n)), rng.normal(size=m), rng.normal(size=n)
        assert alignment_cost(*prices) == pytest.approx(slow_alignment(*prices))


def test_agrees_with_its_definition(random_pairs, slow_alignment):
    for a, b in random_pairs(500):
        prices = [[min(1.0, abs(i - j) / 3) for j in b] for i in a], [1.0] * len(a), [1.0] * len(b)
        assert weighted_edit(a, b) == pytest.approx(slow_alignment(*prices))
        assert weighted_edit(a, b) == pytest.approx(weighted_edit(b, a))


def test_a_far_word_costs_no_more_than_a_gap_and_a_near_one_less():
    assert weighted_edit([0], [9]) == 1.0
    assert weighted_edit([0], [1]) == pytest.approx(1 / 3)
    assert weighted_edit([], [4, 4]) == 2.0


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [([1, 2, 3, 4, 5], [1, 3, 4, 4, 5], 0.8), ([1, 2, 4, 3, 5, 6, 6], [2, 3, 5, 7], 0.5), ([1], [5], 0.0)],
)
def test_known_values(a, b, expected):
    assert scanmatch(a, b) == pytest.approx(expected)


def test_agrees_with_its_definition_scanmatch(random_pairs):
    for a, b in random_pairs(500):
        if not a and not b:
            continue

        @cache
        def best(i, j, a=a, b=b):
            if i == 0 or j == 0:
                return 0.0
            matched = best(i - 1, j - 1) + 2 - abs(a[i - 1] - b[j - 1])
            return max(best(i - 1, j), best(i, j - 1), matched)

        assert scanmatch(a, b) == pytest.approx(best(len(a), len(b)) / (2 * max(len(a), len(b))))
        assert scanmatch(a, b) == pytest.approx(scanmatch(b, a))
        assert 0 <= scanmatch(a, b) <= 1


def test_a_bin_repeats_a_word_for_each_50_ms_halves_upwards():
    assert binned([4, 5, 6], [24.9, 25.0, 125.0], 50.0) == [5, 6, 6, 6]


@pytest.mark.parametrize(
    ("a", "b", "degrees", "expected"),
    [
        ([(1, 200), (2, 250), (4, 180)], [(1, 210), (3, 240)], 1, 281.6),
        ([(1, 200), (2, 250), (4, 180)], [(1, 210), (3, 240)], 3, 405.54224),
        ([(1, 200)], [(50, 300)], 1, 499.95666),
        ([], [(1, 210), (3, 240)], 1, 450),
        ([], [], 1, 0),
    ],
)
def test_known_values_scasim(a, b, degrees, expected):
    assert scasim(a, b, degrees_per_word=degrees) == pytest.approx(expected, abs=1e-5)
    total = sum(ms for _, ms in a + b)
    for normalise, divisor in (("fixations", len(a + b)), ("duration", total)):
        found = scasim(a, b, degrees_per_word=degrees, normalise=normalise)
        assert found == pytest.approx(expected / divisor if divisor else 0.0, abs=1e-5)


def test_agrees_with_its_definition_scasim(random_pairs, slow_alignment):
    rng = np.random.default_rng(3)
    for words_a, words_b in random_pairs(500):
        a, b = ([(w, float(rng.uniform(50, 500))) for w in words] for words in (words_a, words_b))

        def exchange(i, d1, j, d2):
            mu = 0.83 ** abs(i - j)
            return abs(d1 - d2) * mu + (d1 + d2) * (1 - mu)

        prices = [[exchange(*x, *y) for y in b] for x in a], [d for _, d in a], [d for _, d in b]
        assert scasim(a, b) == pytest.approx(slow_alignment(*prices))
        assert scasim(a, b) == pytest.approx(scasim(b, a))
        assert scasim(a, b) <= sum(d for _, d in a + b) + 1e-9

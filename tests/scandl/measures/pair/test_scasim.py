from __future__ import annotations

import numpy as np
import pytest

from scandl.measures.pair.scasim import scasim


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
def test_known_values(a, b, degrees, expected):
    assert scasim(a, b, degrees_per_word=degrees) == pytest.approx(expected, abs=1e-5)
    total = sum(ms for _, ms in a + b)
    for normalise, divisor in (("fixations", len(a + b)), ("duration", total)):
        found = scasim(a, b, degrees_per_word=degrees, normalise=normalise)
        assert found == pytest.approx(expected / divisor if divisor else 0.0, abs=1e-5)


def test_agrees_with_its_definition(random_pairs, slow_alignment):
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

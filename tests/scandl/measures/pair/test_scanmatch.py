from __future__ import annotations

from functools import cache

import pytest

from scandl.measures.pair.scanmatch import binned, scanmatch


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [([1, 2, 3, 4, 5], [1, 3, 4, 4, 5], 0.8), ([1, 2, 4, 3, 5, 6, 6], [2, 3, 5, 7], 0.5), ([1], [5], 0.0)],
)
def test_known_values(a, b, expected):
    assert scanmatch(a, b) == pytest.approx(expected)


def test_agrees_with_its_definition(random_pairs):
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

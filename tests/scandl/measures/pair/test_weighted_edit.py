from __future__ import annotations

import pytest

from scandl.measures.pair.weighted_edit import weighted_edit


def test_agrees_with_its_definition(random_pairs, slow_alignment):
    for a, b in random_pairs(500):
        prices = [[min(1.0, abs(i - j) / 3) for j in b] for i in a], [1.0] * len(a), [1.0] * len(b)
        assert weighted_edit(a, b) == pytest.approx(slow_alignment(*prices))
        assert weighted_edit(a, b) == pytest.approx(weighted_edit(b, a))


def test_a_far_word_costs_no_more_than_a_gap_and_a_near_one_less():
    assert weighted_edit([0], [9]) == 1.0
    assert weighted_edit([0], [1]) == pytest.approx(1 / 3)
    assert weighted_edit([], [4, 4]) == 2.0

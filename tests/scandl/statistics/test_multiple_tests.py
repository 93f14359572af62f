from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scandl.statistics.multiple_tests import holm


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_agrees_with_its_definition(p_values):
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    expected = [0.0] * len(p_values)
    for place, i in enumerate(order):
        steps = [(len(p_values) - j) * p_values[order[j]] for j in range(place + 1)]
        expected[i] = min(1.0, max(steps))
    assert holm(p_values) == pytest.approx(expected)


def test_nothing_tested_is_nothing_adjusted():
    assert holm([]) == []

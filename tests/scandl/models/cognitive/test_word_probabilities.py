"""Probabilities of words in a table: units, precedence, and faults with their place."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scandl.errors import ScandlError
from scandl.models.cognitive.word_probabilities import probabilities, word_probability


@given(st.floats(1e-6, 1.0))
def test_units_say_the_same(p: float) -> None:
    assert word_probability(-math.log(p), "nats") == pytest.approx(p)
    assert word_probability(-math.log2(p), "bits") == pytest.approx(p)


def test_a_probability_goes_before_surprisal() -> None:
    surprisal = {"surprisal": {"s1": ("1", "2")}, "surprisal_unit": {"s1": ("bits", "bits")}}
    assert probabilities(surprisal, "s1") == (0.5, 0.25)
    assert probabilities(surprisal | {"probability": {"s1": ("0.1", "0")}}, "s1") == (0.1, 0.0)
    assert probabilities(surprisal, "s2") is None


@pytest.mark.parametrize(
    ("columns", "text"),
    [
        ({"probability": ("20",)}, "sentence 's1', word 0: probability 20, expected 0..1 (per cent, or"),
        ({"probability": ("x",)}, "sentence 's1': words column 'probability': found 'x', expected a number"),
        ({"surprisal": ("1",)}, "words column 'surprisal' has no unit: expected a column 'surprisal_unit'"),
        (
            {"surprisal": ("1",), "surprisal_unit": ("bit",)},
            "words column 'surprisal_unit': found 'bit'; did you mean",
        ),
        (
            {"surprisal": ("-1",), "surprisal_unit": ("bits",)},
            "sentence 's1', word 0: surprisal -1, expected 0 or more",
        ),
        (
            {"surprisal": ("inf",), "surprisal_unit": ("bits",)},
            "sentence 's1': words column 'surprisal': found 'inf', expected a number",
        ),
    ],
)
def test_faults_name_the_place(columns: dict[str, tuple[str, ...]], text: str) -> None:
    with pytest.raises(ScandlError) as caught:
        probabilities({name: {"s1": cells} for name, cells in columns.items()}, "s1")
    assert str(caught.value).startswith(text)

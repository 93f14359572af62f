"""What goes with every value of surprisal: the source, the unit, the reason."""

from __future__ import annotations

import math

import pytest

from scandl_analysis.predictors.surprisal.provider import UNITS, Surprisal


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"provider": "unigram"}, "surprisal: unigram, bits; asked for by name"),
        ({"provider": "lm", "model": "gpt2"}, "surprisal: lm (gpt2), bits; asked for by name"),
    ],
)
def test_it_tells_source_unit_and_reason(record: dict[str, str], said: str) -> None:
    assert str(Surprisal({}, record, "bits", reason="asked for by name")) == said


def test_a_unit_is_so_many_nats() -> None:
    assert 3.0 * UNITS["bits"] == pytest.approx(-math.log(1 / 8))
    assert UNITS["nats"] == 1.0

"""Words for measures, predictors and amounts: no abbreviation is left in figures and tables."""

from __future__ import annotations

import pytest

from scandl_analysis.chapters.effect_words import (
    amount,
    effect_said,
    measure_words,
    predictor_words,
    unit_words,
)
from scandl_analysis.effects.designs import DEFAULT_TIMES
from scandl_analysis.glm.spec import FAMILIES
from scandl_analysis.words.word_table import PREDICTORS, PREVIOUS


def test_every_measure_and_predictor_has_a_name_in_words() -> None:
    names = [
        *map(measure_words, (*FAMILIES, *DEFAULT_TIMES)),
        *map(predictor_words, (*PREDICTORS, *PREVIOUS)),
    ]
    assert len(set(names)) == len(names)
    assert all(name == name.lower() and "_" not in name and len(name) > 5 for name in names)


def test_a_heading_has_the_unit_it_knows() -> None:
    row = {"measure": "FPRT", "unit": "ms", "per": ""}
    assert unit_words(row) == "gaze duration, ms"
    assert unit_words(row | {"unit": "", "per": "letter"}) == "gaze duration"


@pytest.mark.parametrize(("value", "said"), [(0.04, "0.0"), (-0.04, "0.0"), (12.34, "12.3"), (-1.0, "−1.0")])
def test_nothing_has_no_sign(value: float, said: str) -> None:
    assert amount(value, "ms") == said


def test_plural_measures_have_plural_verbs() -> None:
    assert effect_said("tfc", "surprisal", 0.1) == "all fixations rise with surprisal"
    assert effect_said("FPRT", "surprisal", -0.1) == "gaze duration falls with surprisal"

"""Measures by any name."""

from __future__ import annotations

import pytest

from scandl.errors import ScandlError
from scandl.measures.word_measures import NAMES, TIME_MEASURES
from scandl_analysis.piloting.planned_measures import COUNTS, SHARES, TIMES, planned_measure


def test_every_measure_there_is_can_be_planned():
    assert {*SHARES, *TIMES, *COUNTS} == {*TIME_MEASURES, *NAMES}


def test_scales():
    scales = {name: planned_measure(name).scale for name in ("sr", "RPD", "tfc")}
    assert scales == {"sr": "log odds", "RPD": "log ms", "tfc": "log count"}


def test_an_unknown_name_says_what_was_meant():
    with pytest.raises(ScandlError, match="no reading measure 'TTF'; did you mean 'TFT'"):
        planned_measure("TTF")

"""Measures of regions: a region of one word is that word; areas to its left and right may be joined."""

from __future__ import annotations

import math

import numpy as np
import pytest

from scandl.errors import ScandlError
from scandl.measures.word_measures import NAMES, TIME_MEASURES, timed_measures, word_measures
from scandl.records import Scanpath
from scandl_analysis.piloting.region_measures import (
    COUNTS,
    SHARES,
    TIMES,
    cells_of,
    planned_measure,
    region_measures,
)

EVERY = [planned_measure(name) for name in (*SHARES, *TIMES, *COUNTS)]


@pytest.mark.parametrize("seed", range(30))
def test_a_region_of_one_word_has_the_measures_of_the_word(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 9))
    path = Scanpath(
        "r", "s", tuple(rng.integers(0, n, 12).tolist()), tuple(rng.uniform(80, 400, 12).tolist())
    )
    critical = int(rng.integers(0, n - 1))
    found = region_measures(path, n, (critical, critical), EVERY)
    words = timed_measures(path.positions, path.durations, n) | word_measures(path.positions, n, "firstpass")
    for measure in EVERY:
        for region, word in (("critical", critical), ("spillover", critical + 1)):
            expected = words[measure.ours][word]
            if expected is None or (measure.ours in TIMES and expected == 0):
                assert math.isnan(found[region, measure.name])
            else:
                assert found[region, measure.name] == pytest.approx(expected), (measure.name, region)


def test_a_region_of_several_words_is_one_area():
    path = Scanpath("r", "s", (0, 1, 2, 1, 3), (100.0, 200.0, 150.0, 120.0, 90.0))
    found = region_measures(
        path, 4, (1, 2), [planned_measure(n) for n in ("FFD", "FPRT", "tfc", "sr", "TFT")]
    )
    assert found["critical", "FFD"] == 200
    assert found["critical", "FPRT"] == found["critical", "TFT"] == 470
    assert found["critical", "tfc"] == 3
    assert found["sentence", "TFT"] == 660
    assert found["sentence", "tfc"] == 5
    assert ("sentence", "FFD") not in found


def test_the_last_word_spills_nowhere():
    found = region_measures(Scanpath("r", "s", (0, 1), (100.0, 90.0)), 2, (1, 1), [planned_measure("sr")])
    assert found["critical", "sr"] == 0
    assert math.isnan(found["spillover", "sr"])


def test_without_durations_there_are_no_times():
    found = region_measures(
        Scanpath("r", "s", (0, 1)), 3, (1, 1), [planned_measure("TFT"), planned_measure("tfc")]
    )
    assert math.isnan(found["critical", "TFT"])
    assert found["critical", "tfc"] == 1


def test_cells_without_a_region_are_of_the_sentence():
    assert cells_of(EVERY, has_region=False) == [("sentence", "TFT"), ("sentence", "tfc")]


def test_every_measure_there_is_can_be_planned():
    assert {*SHARES, *TIMES, *COUNTS} == {*TIME_MEASURES, *NAMES}


def test_scales():
    scales = {name: planned_measure(name).scale for name in ("sr", "RPD", "tfc")}
    assert scales == {"sr": "log odds", "RPD": "log ms", "tfc": "log count"}


def test_an_unknown_name_says_what_was_meant():
    with pytest.raises(ScandlError, match="no reading measure 'TTF'; did you mean 'TFT'"):
        planned_measure("TTF")

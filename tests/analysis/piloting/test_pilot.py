"""The whole pilot: known signs, the same twice, and what it refuses."""

from __future__ import annotations

import pandas as pd
import pytest

import scandl_analysis
from scandl.errors import ScandlError
from scandl_analysis.piloting.pilot import pilot

QUICK = {
    "models": ["ezreader"],
    "measures": ["TFT"],
    "readers": [8],
    "pool": 16,
    "experiments": 20,
    "surprisal": "unigram",
}


def test_long_rare_words_are_skipped_less_and_read_longer(piloted):
    found = {(e.source, e.measure): e for e in piloted.effects if e.region == "critical"}
    for source in ("ezreader", "swift"):
        assert found[source, "sr"].ci95[1] < 0
        assert found[source, "TFT"].ci95[0] > 0
        assert found[source, "TFT"].ms > 30
    notable = {c.feature for c in piloted.confounds if c.notable}
    assert {"length", "frequency"} <= notable
    assert "position" not in notable


def test_the_front_door_is_the_same_function():
    assert scandl_analysis.pilot is pilot


def test_one_seed_gives_the_same_twice_and_pieces_are_used_again(stimuli_frame, tmp_path):
    first = pilot(stimuli_frame, out=tmp_path, **QUICK)
    again = pilot(stimuli_frame, out=tmp_path, **QUICK)
    plain = pilot(stimuli_frame, **QUICK)
    other = pilot(stimuli_frame, **QUICK, seed=2)
    assert first.power == again.power == plain.power
    assert first.effects == plain.effects
    assert first.effects != other.effects


def test_more_items_than_there_are_come_from_variance_components(stimuli_frame):
    found = pilot(stimuli_frame, items=[4, 16], **QUICK)
    assert {(p.items, p.method) for p in found.power} == {(4, "resampled"), (16, "parametric")}


def test_without_a_region_the_sentence_is_measured(stimuli_frame):
    plain = stimuli_frame.assign(text=[text.replace("*", "") for text in stimuli_frame["text"]])
    found = pilot(plain, **QUICK)
    assert {e.region for e in found.effects} == {"sentence"}
    assert {p.region for p in found.power} == {"sentence"}
    with pytest.raises(ScandlError, match="no text marks a critical region, as --region spillover needs"):
        pilot(plain, regions=["spillover"], **QUICK)
    with pytest.raises(ScandlError, match="whole sentences have TFT and tfc only"):
        pilot(plain, **{**QUICK, "measures": ["FFD"]})


def test_an_effect_of_a_measure_that_is_not_planned(stimuli_frame):
    with pytest.raises(ScandlError, match="--effect of FFD, which is not among --measures TFT"):
        pilot(stimuli_frame, effects=["FFD=20ms"], **QUICK)


def test_a_model_without_durations_says_so(stimuli_frame):
    found = pilot(stimuli_frame, **{**QUICK, "models": ["demo"], "measures": ["TFT", "tfc"]})
    assert "demo: no TFT of the critical region in any reading" in found.notes
    assert not any(e.measure == "TFT" for e in found.effects)
    assert any(e.measure == "tfc" for e in found.effects)


def test_one_condition_is_no_contrast(stimuli_frame):
    with pytest.raises(ScandlError, match="the contrast 'condition' has one level"):
        pilot(pd.DataFrame(stimuli_frame[stimuli_frame["condition"] == "long"]), **QUICK)

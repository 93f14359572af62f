"""Mean and spread of the measures, by hand and by pandas; intervals; what is said where there is none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from scandl.errors import ScandlError
from scandl.measures.scanpath_measures import NAMES, scanpath_measures
from scandl.records import Prediction
from scandl_analysis.behaviour.variability import Behaviour, readings_stood_for, variability
from scandl_analysis.words.analysed_run import Run, demo_run, open_predictions, open_run


def rows(found: Behaviour, **keys: str) -> pd.DataFrame:
    table = found.table
    for name, value in keys.items():
        table = table[table[name] == value]
    return table.set_index("measure")


@pytest.fixture(scope="module")
def demo() -> Behaviour:
    return variability(open_run(demo_run(), "nrns"), resamples=200)


def test_the_numbers_are_those_of_the_scanpaths(behaviour_run: Run) -> None:
    found = variability(behaviour_run, resamples=100)
    for convention in ("words", "scandl"):
        human = [
            scanpath_measures(p.positions, behaviour_run.corpus.sentences[p.sentence_id].n_words, convention)
            for p in behaviour_run.corpus.scanpaths
        ]
        truth = pd.DataFrame(human)
        ours = rows(found, convention=convention, source="human")
        for name in NAMES:
            assert ours.loc[name, "n"] == 6
            assert ours.loc[name, "mean"] == pytest.approx(truth[name].mean())
            assert ours.loc[name, "sd"] == pytest.approx(truth[name].std())
            assert ours.loc[name, "median"] == pytest.approx(truth[name].median())
            assert ours.loc[name, "q25"] == pytest.approx(truth[name].quantile(0.25))
    copied = rows(found, convention="words", source="copy")
    pd.testing.assert_series_equal(copied["mean"], rows(found, convention="words", source="human")["mean"])


def test_a_reader_that_never_regresses_is_said_to_do_so(behaviour_run: Run) -> None:
    table = rows(variability(behaviour_run, resamples=50), convention="words", source="straight")
    row = table.loc["regressive_length"]
    assert (row["mean"], row["sd"], row["ci_low"], row["ci_high"]) == (0, 0, 0, 0)
    assert row["note"] == "regressive_length is 0 on all 6 scanpaths"


def test_intervals_hold_the_mean_and_depend_on_the_seed_alone(demo: Behaviour) -> None:
    ours = demo.table[demo.table["origin"] == "run"]
    assert (ours["ci_low"] <= ours["mean"]).all()
    assert (ours["mean"] <= ours["ci_high"]).all()
    assert (ours["sd_low"] <= ours["sd_high"]).all()
    run = open_run(demo_run(), "nrns")
    fewer = replace(run, predictions={"uniform": run.predictions["uniform"]})
    again = variability(fewer, resamples=200)
    keys = {"convention": "scandl", "source": "uniform"}
    pd.testing.assert_frame_equal(rows(demo, **keys), rows(again, **keys))
    other = variability(fewer, resamples=200, seed=2)
    assert not rows(other, **keys)["ci_low"].equals(rows(again, **keys)["ci_low"])


def test_the_interval_is_as_wide_as_readers_and_sentences_make_it(demo: Behaviour) -> None:
    """The crossed interval is wider than one that takes scanpaths as independent."""
    row = rows(demo, convention="words", source="human").loc["fixation_count"]
    independent = 2 * 1.96 * row["sd"] / np.sqrt(row["n"])
    assert row["ci_high"] - row["ci_low"] > 1.3 * independent


def test_humans_are_those_the_models_stand_for(behaviour_run: Run) -> None:
    some = {"copy": behaviour_run.predictions["copy"][:2]}
    readings = readings_stood_for(replace(behaviour_run, predictions=some))
    assert [(r.reader_id, r.sentence_id) for r in readings] == [("r1", "s1"), ("r2", "s1")]
    unnamed = {"m": [Prediction("s2", (0,), model="m")]}
    readings = readings_stood_for(replace(behaviour_run, predictions=unnamed))
    assert [(r.reader_id, r.sentence_id) for r in readings] == [("r1", "s2"), ("r2", "s2"), ("r3", "s2")]
    strange = {"m": [Prediction("s2", (0,), None, "r9", "m")]}
    with pytest.raises(ScandlError, match="has no scanpath of the 1 readers and sentences"):
        readings_stood_for(replace(behaviour_run, predictions=strange))


@pytest.mark.parametrize(
    ("kept", "note"),
    [
        (slice(0, 3), "one sentence: the intervals hold for it alone"),
        (slice(0, None, 3), "one reader: the intervals hold for it alone"),
        (slice(0, 1), "one scanpath: no spread, no interval"),
    ],
)
def test_what_cannot_be_resampled_is_said(behaviour_run: Run, kept: slice, note: str) -> None:
    part = {"copy": behaviour_run.predictions["copy"][kept]}
    found = variability(replace(behaviour_run, predictions=part), resamples=200)
    row = rows(found, convention="words", source="copy").loc["fixation_count"]
    assert note in row["note"]
    assert pd.isna(row["ci_low"]) == ("no interval" in note)
    assert pd.isna(row["sd"]) == ("no spread" in note)


def test_two_samples_of_one_pair_have_a_spread_but_no_interval(behaviour_run: Run) -> None:
    first = behaviour_run.predictions["copy"][0]
    part = {"copy": [first, replace(first, sample=1, predicted=(0, 3))]}
    found = variability(replace(behaviour_run, predictions=part), resamples=50)
    row = rows(found, convention="words", source="copy").loc["fixation_count"]
    assert row["sd"] == pytest.approx(np.std([1.0, 0.5], ddof=1))
    assert row["note"] == "one sentence and one reader: no interval"


def test_published_numbers_appear_in_their_setting_only(behaviour_run: Run) -> None:
    assert set(variability(behaviour_run, resamples=20).table["origin"]) == {"run"}
    table = variability(replace(behaviour_run, setting="nr"), resamples=20).table
    published = table[table["origin"] == "published"]
    assert len(published) == 24
    assert set(published["convention"]) == {"scandl"}
    row = published.query("corpus == 'ZuCo' and source == 'scandl' and measure == 'regressive_length'").iloc[
        0
    ]
    assert (row["mean"], row["sd"]) == (2.44, 3.05)
    assert published["n"].isna().all()


def test_means_of_the_published_swift_simulations(shared: Callable[[str], Path]) -> None:
    """The corpus comes with these means over scanpaths, computed elsewhere."""
    folder = shared("mertzen")
    found = variability(open_predictions([folder / "simulated_swift.csv"], folder), resamples=20)
    table = rows(found, convention="words", source="simulated_swift")
    assert table.loc["fixation_count", "n"] == 768
    assert table.loc["fixation_count", "mean"] == pytest.approx(0.754, abs=5e-4)
    assert table.loc["skipping_rate", "mean"] == pytest.approx(0.402, abs=5e-4)
    assert table.loc["regression_rate", "mean"] == pytest.approx(0.035, abs=5e-4)

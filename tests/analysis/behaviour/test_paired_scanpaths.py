"""Which human path a prediction is compared with, and the numbers of the pair."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

from scandl.errors import ScandlError
from scandl.measures.scanpath_measures import scanpath_measures
from scandl.records import Prediction
from scandl.statistics.distances import nld, nld_scandl
from scandl_analysis.behaviour.paired_scanpaths import paired_scanpaths
from scandl_analysis.words.analysed_run import Run, demo_run, open_run


def one(frame: pd.DataFrame, **keys: str) -> pd.Series:
    (row,) = (frame.loc[i] for i in frame.index if all(frame.loc[i, k] == v for k, v in keys.items()))
    return row


def test_a_pair_has_its_distance_and_the_measures_of_the_human_path(behaviour_run: Run) -> None:
    frame, notes = paired_scanpaths(behaviour_run)
    assert notes == ()
    assert len(frame) == 2 * 2 * 6  # conventions, models, human scanpaths
    human, n_words = (0, 0, 3, 1, 2, 3), 4
    for convention, distance in (("words", nld), ("scandl", nld_scandl)):
        row = one(frame, convention=convention, model="straight", reader_id="r3", sentence_id="s1")
        assert row["nld"] == distance(human, (0, 1, 2, 3))
        for name, value in scanpath_measures(human, n_words, convention).items():
            assert row[name] == value


def test_samples_of_one_prediction_are_averaged(behaviour_run: Run) -> None:
    first = behaviour_run.predictions["straight"][0]  # r1 read s1 straight: distance 0
    more = [first, replace(first, sample=1, predicted=(3, 2, 1, 0))]
    frame, _ = paired_scanpaths(replace(behaviour_run, predictions={"straight": more}))
    row = one(frame, convention="words")
    assert row["nld"] == nld((0, 1, 2, 3), (3, 2, 1, 0)) / 2 == 0.5


def test_without_a_reader_every_reader_of_the_sentence_is_meant(behaviour_run: Run) -> None:
    run = replace(behaviour_run, predictions={"m": [Prediction("s1", (0, 1, 2, 3), model="m")]})
    frame, _ = paired_scanpaths(run)
    words = frame[frame["convention"] == "words"]
    assert words["reader_id"].tolist() == ["r1", "r2", "r3"]


def test_a_human_path_of_the_file_counts_where_the_reader_is_not_named(behaviour_run: Run) -> None:
    rows = [Prediction("s1", (0, 1), human, model="m") for human in ((0, 1), (2, 3))]
    frame, _ = paired_scanpaths(replace(behaviour_run, predictions={"m": rows}))
    words = frame[frame["convention"] == "words"]
    assert words["reader_id"].tolist() == ["", ""]
    assert words["nld"].tolist() == [0.0, 1.0]


def test_predictions_without_a_human_are_counted_or_refused(behaviour_run: Run) -> None:
    stranger = replace(behaviour_run.predictions["copy"][0], reader_id="r9", human=None)
    added = {"copy": [*behaviour_run.predictions["copy"], stranger]}
    _, notes = paired_scanpaths(replace(behaviour_run, predictions=added))
    assert notes == ("copy: 1 of 7 predictions have no human scanpath",)
    with pytest.raises(ScandlError, match="corpus 'small' has no scanpath of the readers and sentences"):
        paired_scanpaths(replace(behaviour_run, predictions={"copy": [stranger]}))


def test_the_packaged_run_pairs_every_prediction() -> None:
    run = open_run(demo_run(), "nrns")
    frame, notes = paired_scanpaths(run)
    assert notes == ()
    sizes = frame.groupby(["convention", "model"]).size()
    assert set(sizes) == {len({(p.reader_id, p.sentence_id) for p in run.predictions["uniform"]})}

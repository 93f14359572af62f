from __future__ import annotations

import math

import numpy as np
import pytest

from scandl.errors import DataError
from scandl.measures.catalogue import METRICS, Metric
from scandl.pairing import Instance, pair
from scandl.records import Prediction
from scandl_eval.score_table import (
    Key,
    Scores,
    columns,
    instance_keys,
    is_named,
    read_scores,
    score,
    shared_items,
    write_scores,
)


def scores_of(*rows):
    """Rows of (reader, sentence, sample, value) of one model."""
    keys = tuple(Key("m", "ns", "0", reader, sentence, sample) for reader, sentence, sample, _ in rows)
    return Scores(keys, {"nld": np.array([value for *_, value in rows])})


def test_samples_are_averaged_within_the_instance_first():
    found = columns(scores_of(("r1", "s1", 0, 0.0), ("r1", "s1", 1, 1.0), ("r2", "s1", 0, 0.2)), "nld")
    column = found["m", "ns"]
    assert column.values.tolist() == [0.5, 0.2]
    assert column.mean == pytest.approx(0.35)  # not the mean of three rows, 0.4


def test_mean_over_sentences_weighs_sentences_equally():
    column = columns(
        scores_of(("r1", "s1", 0, 0.0), ("r2", "s1", 0, 0.0), ("r3", "s1", 0, 0.0), ("r1", "s2", 0, 1.0)),
        "nld",
    )["m", "ns"]
    assert (column.mean, column.mean_over_sentences) == (0.25, 0.5)


def test_undefined_values_are_counted_and_left_out():
    column = columns(
        scores_of(("r1", "s1", 0, math.nan), ("r1", "s1", 1, 0.5), ("r2", "s1", 0, math.nan)), "nld"
    )["m", "ns"]
    assert (column.values.tolist(), column.n_undefined) == ([0.5], 1)


def test_an_undefined_metric_has_no_mean():
    column = columns(scores_of(("r1", "s1", 0, math.inf)), "nld")["m", "ns"]
    assert math.isnan(column.mean)
    assert math.isnan(column.mean_over_sentences)


def unnamed(human, sample=0, model="m", predicted=(0,)):
    prediction = Prediction("s1", predicted, human=human, model=model, sample=sample)
    return Instance(prediction, human, None)


def test_an_unnamed_reader_is_known_by_the_path():
    keys = instance_keys(
        [unnamed((0, 1)), unnamed((0, 2)), unnamed((0, 1), sample=1), unnamed((0, 2), model="n")]
    )
    readers = [key.reader_id for key in keys]
    assert readers[0] == readers[2]
    assert readers[1] == readers[3]
    assert readers[0] != readers[1]
    assert not any(is_named(key.reader_id) for key in keys)


def test_two_unnamed_rows_with_one_path_are_two_readers():
    found = score([unnamed((0, 1)), unnamed((0, 1), predicted=(0, 1))], [METRICS["nld"]])
    column = columns(found, "nld")["m", "all"]
    assert column.values.tolist() == [0.5, 0.0]
    assert column.clusters is None


def test_every_metric_gets_a_column():
    predictions = [Prediction("s1", (0, 1), human=(0, 1, 2), reader_id="r1")]
    found = score(pair(predictions).instances, [METRICS["nld"], METRICS["levenshtein"]])
    assert {name: values.tolist() for name, values in found.values.items()} == {
        "nld": [1 / 3],
        "levenshtein": [1.0],
    }


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_written_scores_are_read_back(tmp_path, suffix):
    keys = (Key("m, 1", "ns", "a", "007", "s1", 0), Key("m, 1", "ns", "b", "r2", "s2", 3))
    before = Scores(keys, {"nld": np.array([1 / 3, math.nan]), "scasim": np.array([281.6, 405.54224])})
    write_scores(tmp_path / f"scores.{suffix}", before)
    after = read_scores(tmp_path / f"scores.{suffix}")
    assert after.keys == keys
    for metric, values in before.values.items():
        np.testing.assert_array_equal(after.values[metric], values)


def test_an_unnamed_reader_has_an_empty_cell(tmp_path):
    write_scores(tmp_path / "scores.csv", score([unnamed((0,)), unnamed((0,))], [METRICS["nld"]]))
    assert (tmp_path / "scores.csv").read_text() == (
        "model,setting,fold,reader_id,sentence_id,sample,nld\nm,all,0,,s1,0,0.0\nm,all,0,,s1,0,0.0\n"
    )
    again = read_scores(tmp_path / "scores.csv")
    assert len(columns(again, "nld")["m", "all"]) == 2


def test_a_broken_score_table_says_where(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("model,setting,fold,reader_id,sentence_id,sample,nld\nm,ns,0,r,s,0,high\n")
    with pytest.raises(
        DataError, match="scores.csv:2: column 'nld': found 'high', expected a number or nothing"
    ):
        read_scores(path)


def test_shared_items_keep_the_order_of_the_first():
    a = columns(scores_of(("r1", "s1", 0, 0.1), ("r2", "s1", 0, 0.2), ("r3", "s1", 0, 0.3)), "nld")["m", "ns"]
    b = columns(scores_of(("r3", "s1", 0, 0.5), ("r1", "s1", 0, 0.4)), "nld")["m", "ns"]
    shared = shared_items([a, b])
    assert shared == [("0", "r1", "s1"), ("0", "r3", "s1")]
    assert b.at(shared).tolist() == [0.4, 0.5]


def test_a_metric_that_knows_nothing_leaves_an_empty_column():
    nothing = Metric("nothing", "never defined", lambda instances: np.full(len(instances), np.nan))
    column = columns(score([unnamed((0,))], [nothing]), "nothing")["m", "all"]
    assert (len(column), column.n_undefined) == (0, 1)

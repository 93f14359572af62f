from __future__ import annotations

import math
import re

import pytest

from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import ScandlError
from scandl.pairing import pair
from scandl.records import Prediction
from scandl_eval.scoring.information_gain import impossible_note, known_items, lacking_models, paired_gain


def instances(*predictions):
    return pair(predictions).instances


def given(model, sentence, log_prob, reader="r", sample=0, setting="ns"):
    return Prediction(sentence, (0,), (0, 1, 2), reader, model, setting, sample=sample, log_prob=log_prob)


BOTH = instances(
    *(given("a", f"s{k}", -4.0 * math.log(2)) for k in range(3)),
    *(given("b", f"s{k}", -8.0 * math.log(2)) for k in range(1, 4)),
    given("c", "s0", None),
)


def test_the_gain_is_over_shared_paths_per_fixation_and_end():
    known = known_items(BOTH, ["a", "b", "c"])
    a, b, gain = paired_gain(known["ns"], "a", "b")
    assert (a, b) == pytest.approx((-1.0, -2.0))
    assert gain.bits == pytest.approx(1.0)
    assert gain.n_paths == 2
    assert list(known["ns"]) == ["a", "b"]
    alone = known_items(instances(given("a", "s0", -1.0), given("b", "s1", -1.0)), ["a", "b"])
    assert paired_gain(alone["ns"], "a", "b") is None


def test_samples_are_one_path_and_must_agree():
    twice = instances(given("a", "s0", -2.0), given("a", "s0", -2.0 - 1e-13, sample=1))
    assert [len(items) for items in known_items(twice, ["a"])["ns"].values()] == [1]
    text = "model 'a', sentence 's0' of reader 'r': found log_prob -2.0 and -3.0, expected one value for all samples"
    with pytest.raises(ScandlError, match=f"^{re.escape(text)}$"):
        known_items(instances(given("a", "s0", -2.0), given("a", "s0", -3.0, sample=1)), ["a"])


def test_a_likelihood_of_nobodys_path_is_refused():
    loose = Prediction("s01", (0,), model="a", log_prob=-2.0)
    with pytest.raises(
        ScandlError, match=r"found log_prob -2\.0 of no one's scanpath, expected a reader_id or a"
    ):
        known_items(pair([loose], open_corpus("demo")).instances, ["a"])


def test_models_without_likelihoods_are_named_with_their_settings():
    some = instances(given("a", "s0", -1.0), given("a", "s0", None, setting="nr"), given("b", "s0", None))
    known = known_items(some, ["a", "b"])
    assert lacking_models(some, known, ["a", "b"]) == ["a (nr)", "b"]


def test_impossible_paths_are_counted():
    known = known_items(instances(given("a", "s0", -math.inf), given("b", "s0", -1.0)), ["a", "b"])
    assert impossible_note(known["ns"], "a", "b") == (
        "minus infinity: a gives 1 of 1 human scanpaths the probability 0"
    )
    assert impossible_note(known_items(BOTH, ["a", "b"])["ns"], "a", "b") is None

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from scandl.corpora import Card, Corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import ScandlError
from scandl.measures.catalogue import METRICS
from scandl.pairing import pair
from scandl.records import Prediction, Scanpath, Sentence
from scandl.statistics.distances import in_bins, nld
from scandl_eval import compare, evaluate
from scandl_eval.scoring.engine import (
    generated_paths,
    is_compared,
    known_metric,
    likelihoods,
    predictions_in,
    score_predictions,
)
from scandl_eval.scoring.scoring_spec import Spec

TEXT = "one two three four five"


def predictions(model="m", setting="ns", seed=1, samples=1, readers=4, **given):
    rng = np.random.default_rng([seed, len(model)])
    humans = np.random.default_rng(0).integers(0, 5, (readers, 5, 4))
    return [
        Prediction(
            f"s{s}",
            tuple(rng.integers(0, 5, 4).tolist()),
            tuple(humans[r, s].tolist()),
            f"r{r}",
            model,
            setting,
            sample=sample,
            text=TEXT,
            **given,
        )
        for r in range(readers)
        for s in range(5)
        for sample in range(samples)
    ]


def scored(found, names=("nld", "energy", "diversity"), **choices):
    spec = Spec()
    return score_predictions(pair(found), None, spec, {n: known_metric(n, spec) for n in names}, **choices)


def test_metrics_are_known_by_name():
    assert known_metric("nld", Spec()).name == "nld"
    assert known_metric("nld", Spec(convention="scandl")).name == "nld-scandl"
    assert known_metric("scanmatch", Spec()) is METRICS["scanmatch"]
    assert known_metric("nld-time", Spec(bin_ms=25.0)).name == "nld-time-25ms"
    assert [m.name for m in METRICS.values() if not is_compared(m)] == [
        m.name
        for m in METRICS.values()
        if m.asked_as == "distribution-panel" or m.name in ("classifier-auc", "information-gain")
    ]
    with pytest.raises(ScandlError, match="^no metric 'diversty'; did you mean 'diversity'"):
        known_metric("diversty", Spec())


def test_settings_are_scored_apart_and_trivial_readers_stand_beside():
    both = predictions() + predictions(setting="nr", seed=2)
    found = scored(both)
    assert [setting.setting for setting in found.settings] == ["ns", "nr"]
    assert len(found.scores) == len(both)
    for setting in found.settings:
        (alone,) = scored([p for p in both if p.setting == setting.setting]).settings
        assert setting.models == ("m",)
        for name, estimates in setting.estimates.items():
            assert estimates.models == ("m", "left-to-right", "train-label-dist")
            joint, expected = estimates.joint(["m"]), alone.estimates[name].joint(["m"])
            assert joint.values == pytest.approx(expected.values)
            assert joint.ci95("m") == pytest.approx(expected.ci95("m"))
    (without,) = scored(predictions(), trivial=False).settings
    assert without.estimates["nld"].models == without.estimates["energy"].models == ("m",)


def test_the_mean_is_that_of_the_predictions_whatever_their_order():
    found = predictions(samples=3)
    expected = math.fsum(nld(p.human, p.predicted) for p in found) / len(found)
    rows = []
    for order in (found, found[::-1]):
        (setting,) = scored(order).settings
        rows.append([setting.estimates[name].joint(["m"]) for name in ("nld", "energy", "diversity")])
    assert rows[0][0].values == pytest.approx([expected])
    assert rows[0][0].n == 20  # samples of an item count once
    for first, second in zip(*rows, strict=True):
        assert first.values == pytest.approx(second.values)
        assert first.ci95("m") == pytest.approx(second.ci95("m"))


def test_another_model_beside_changes_nothing():
    (alone,) = scored(predictions()).settings
    (both,) = scored(predictions() + predictions("other", seed=5)).settings
    assert both.models == ("m", "other")
    for name in ("nld", "energy", "diversity"):
        one, two = (setting.estimates[name].joint(["m"]) for setting in (alone, both))
        assert one.values == pytest.approx(two.values)
        assert one.ci95("m") == pytest.approx(two.ci95("m"))


def test_a_model_with_the_name_of_a_trivial_reader_is_itself():
    own = predictions("left-to-right")
    (found,) = scored(own).settings
    expected = math.fsum(nld(p.human, p.predicted) for p in own) / len(own)
    assert found.estimates["nld"].joint(["left-to-right"]).values == pytest.approx([expected])
    assert found.estimates["energy"].models.count("left-to-right") == 1


def test_copies_without_names_have_no_energy():
    draws = [Prediction(f"s{s}", (k,), human=(0, 1, 2), setting="ns") for s in range(3) for k in range(4)]
    (found,) = scored(draws).settings
    assert found.beside.doubtful_readers
    assert set(found.estimates) == {"nld"}


def test_a_prediction_against_all_readers_is_one_path():
    """It is compared with everybody, and still generated once."""
    demo = open_corpus("demo")
    instances = pair([Prediction("s01", (0, 1)), Prediction("s01", (0, 2))], demo).instances
    assert len(instances) == 2 * len(demo.by_sentence["s01"])
    (by_item,) = generated_paths(predictions_in(instances)).values()
    (paths,) = by_item.values()
    assert [(path.reader_id, path.positions) for path in paths] == [("", (0, 1)), ("", (0, 2))]


def test_samples_of_a_reader_are_paths_of_that_reader():
    found = generated_paths(predictions(samples=2))["m"]
    assert len(found) == 20
    assert {len(paths) for paths in found.values()} == {2}
    assert {(reader, path.reader_id) for (_, reader, _), paths in found.items() for path in paths} == {
        (f"r{r}", f"r{r}") for r in range(4)
    }


def test_likelihoods_count_each_human_path_once_and_need_all_of_them():
    found = likelihoods(pair(predictions(samples=3, log_prob=-2.0) + predictions("none")).instances)
    assert found.models == ("m",)
    known = found.known["m"]
    assert (len(known.items), set(known.events.tolist())) == (20, {5.0})
    assert known.bits == pytest.approx(-2.0 / math.log(2))
    some = predictions(log_prob=-2.0)[:-1] + predictions()[-1:]
    assert likelihoods(pair(some).instances).models == ()


def density_rows(model: str, densities: list[float | str]) -> pd.DataFrame:
    """Human paths of two and of four fixations, and the log density of their durations."""
    return pd.DataFrame(
        {
            "model": model,
            "sentence_id": ["a", "b"],
            "reader_id": ["r1", "r2"],
            "predicted": ["0", "0"],
            "human": ["0 1", "0 1 2 3"],
            "duration_log_prob": densities,
        }
    )


def test_log_density_is_the_mean_over_fixations() -> None:
    found = evaluate(density_rows("m", [-12.0, -21.0]), metrics=["log-density"])
    assert [(row.metric, row.mean) for row in found.rows if row.model == "m"] == [("log-density", -33.0 / 6)]
    compared = compare(
        density_rows("m", [-12.0, -21.0]), density_rows("n", [-14.0, -25.0]), metrics=["log-density"]
    )
    assert compared.pairs[0].difference == pytest.approx(1.0)


def test_a_density_that_is_no_number_is_named() -> None:
    with pytest.raises(ScandlError, match="column 'duration_log_prob': found 'x', expected a natural log"):
        evaluate(density_rows("m", [-12.0, "x"]), metrics=["log-density"])


def test_bins_of_timed_paths_can_be_chosen() -> None:
    """NLD of the repeated words, by hand; one bin of 1,000 ms is NLD itself."""
    rows = pd.DataFrame(
        {
            "model": "m",
            "sentence_id": ["a"] * 4,
            "reader_id": [f"r{k}" for k in range(4)],
            "predicted": ["0 1", "0 2", "0 1 1", "1"],
            "durations": ["100 200", "150 50", "90 80 100", "300"],
        }
    )
    human = tuple(
        Scanpath(f"r{k}", "a", path, (120.0,) * len(path))
        for k, path in enumerate([(0, 1), (0, 1, 2), (1,), (2,)])
    )
    corpus = Corpus(Card(name="c"), {"a": Sentence("a", TEXT)}, human)
    for bin_ms in (25.0, 50.0, 1000.0):
        found = evaluate(
            rows, corpus=corpus, metrics=["nld-time", "energy-time", "nld"], spec=Spec(bin_ms=bin_ms)
        )
        mean = {row.metric: row.mean for row in found.rows if row.model == "m"}
        by_hand = [
            nld(in_bins(own.positions, own.durations, bin_ms), in_bins(path, durations, bin_ms))
            for own, path, durations in zip(
                human,
                [(0, 1), (0, 2), (0, 1, 1), (1,)],
                [(100, 200), (150, 50), (90, 80, 100), (300,)],
                strict=True,
            )
        ]
        assert mean["nld-time"] == pytest.approx(np.mean(by_hand))
        if bin_ms == 1000.0:
            assert mean["nld-time"] == pytest.approx(mean["nld"])
            assert found.metric_spec["bin_ms"] == 1000.0
    with pytest.raises(ScandlError, match="found bins of 0 ms, expected 1 to 1000"):
        Spec(bin_ms=0.0)

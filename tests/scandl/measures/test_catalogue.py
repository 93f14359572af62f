from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest

from scandl.errors import ScandlError
from scandl.measures.catalogue import METRICS, asked_for, pair_metrics, score_by_default, usual_metrics
from scandl.measures.distribution.panel import QUANTITIES
from scandl.measures.metric import BY_DEFINITION, DURATIONS, HALVES, HIGHER, LOWER, OnDemand
from scandl.pairing import Instance
from scandl.records import Prediction
from scandl.statistics.distances import KERNELS, TIMED

TEXT = "The cat sat on the warm mat today"
HUMAN, OTHER, PREDICTED = (0, 1, 3, 2, 6), (6, 4, 3, 1, 0), (7, 4, 2, 0)
PAIRWISE = [metric.name for metric in pair_metrics()]


@pytest.fixture
def batch(instance):
    """Two sentences, so that chance is defined; the second prediction is the human path itself."""

    def make(*, durations: bool = True, text: bool = True):
        texts = {"text": TEXT if text else None}
        first = {
            "durations": (200.0, 180.0, 240.0, 90.0),
            "human_durations": (210.0, 250.0, 190.0, 130.0, 220.0),
        }
        second = dict.fromkeys(("durations", "human_durations"), (90.0, 70.0, 110.0, 60.0, 80.0))
        return [
            instance(HUMAN, PREDICTED, **texts, **(first if durations else {})),
            instance(OTHER, OTHER, sentence_id="s2", **texts, **(second if durations else {})),
        ]

    return make


@pytest.mark.parametrize("name", PAIRWISE)
def test_identity_is_the_best_score_and_anything_else_is_worse(name, batch):
    metric = METRICS[name]
    other, same = metric.score(batch())
    assert same == (1.0 if metric.ideal == HIGHER else 0.0)
    assert metric.loss(other) > metric.loss(same)


@pytest.mark.parametrize("name", PAIRWISE)
def test_what_is_not_defined_is_nan(name, batch):
    assert np.isnan(METRICS[name].score(batch(durations=False))).any() == (DURATIONS in METRICS[name].needs)
    if DURATIONS not in METRICS[name].needs:
        assert np.isnan(METRICS[name].score(batch(text=False))).all() == ("text" in METRICS[name].needs)


@pytest.mark.parametrize("name", PAIRWISE)
def test_empty_batches_empty_paths_and_worker_processes(name, instance):
    metric = pickle.loads(pickle.dumps(METRICS[name]))
    assert metric.score([]).shape == (0,)
    empty = instance((), (), text=TEXT, durations=(), human_durations=())
    assert metric.score([empty]).shape == (1,)
    assert metric.name == name
    assert metric.about


def test_names_are_known_without_importing_anything_heavy():
    code = "import sys; from scandl.measures.catalogue import METRICS; print(len(list(METRICS)), 'numpy' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split() == [str(len(list(METRICS))), "False"]


def test_an_unknown_metric_says_what_was_meant():
    with pytest.raises(ScandlError, match="no metric 'scansim'; did you mean 'scasim'"):
        METRICS["scansim"]


PAIRS = [
    Instance(Prediction("s1", (0, 1, 1, 3)), (0, 1, 2, 3), "r1"),
    Instance(Prediction("s2", ()), (), "r1"),
]


@pytest.mark.parametrize("name", PAIRWISE)
def test_every_metric_says_what_it_is_and_scores_each_instance(name: str) -> None:
    metric = METRICS[name]
    assert metric.name == name
    assert metric.version >= 1
    assert metric.about
    assert metric.score(PAIRS).shape == (2,)
    assert metric.score([]).shape == (0,)


def test_options_belong_to_the_metric() -> None:
    assert OnDemand("nld", {"kernel": "levenshtein"})(PAIRS).tolist() == [1.0, 0.0]
    np.testing.assert_array_equal(OnDemand("nld", {"kernel": "nld"})(PAIRS), [0.25, 0.0])


def test_a_misspelt_metric() -> None:
    with pytest.raises(ScandlError, match="no metric 'scasimm'; did you mean 'scasim'"):
        METRICS["scasimm"]


def test_every_metric_has_a_direction_a_meaning_and_a_heading_of_its_own():
    metrics = METRICS.values()
    for metric in metrics:
        assert metric.about
        assert metric.meaning.count(metric.better) + metric.meaning.count(metric.better.lower()) >= 1, (
            metric.name
        )
        assert metric.ideal in (LOWER, HIGHER, 0.5, 1.0)
        assert metric.human != BY_DEFINITION or metric.ideal == 1.0
        assert not metric.kernel or metric.kernel in {*KERNELS, TIMED}
    assert len({metric.heading for metric in metrics}) == len(metrics)


def test_what_comes_together_is_asked_for_by_one_name():
    panel = [
        f"{name.replace(' ', '-')}-{d}" for name in QUANTITIES for d in ("wasserstein", "jensen-shannon")
    ]
    assert asked_for("distribution-panel") == panel
    assert all(METRICS[name].human == HALVES for name in panel)
    assert asked_for("energy") == ["energy"]
    with pytest.raises(ScandlError, match="no metric 'enregy'; did you mean 'energy'"):
        asked_for("enregy")


def test_usual_metrics_are_scored_by_default():
    assert {metric.name for metric in usual_metrics()} <= set(score_by_default())
    assert set(METRICS) - set(score_by_default()) == {
        name for name in METRICS if name == "log-density" or name.startswith(("duration-", "word-time-"))
    } - {metric.name for metric in usual_metrics()}

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest

from scandl.errors import ScandlError
from scandl.measures.catalogue import METRICS, OnDemand
from scandl.pairing import Instance
from scandl.records import Prediction

TEXT = "The cat sat on the warm mat today"
HUMAN, OTHER, PREDICTED = (0, 1, 3, 2, 6), (6, 4, 3, 1, 0), (7, 4, 2, 0)
NEEDS_DURATIONS = {
    "nld-time",
    "scasim",
    "scasim-per-fixation",
    "scasim-per-duration",
    "scanmatch-50ms",
    "multimatch-duration",
    "multimatch-duration-above-chance",
}
NEEDS_TEXT = {name for name in METRICS if name.startswith("multimatch")}


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


@pytest.mark.parametrize("name", list(METRICS))
def test_identity_is_the_best_score_and_anything_else_is_worse(name, batch):
    metric = METRICS[name]
    other, same = metric.score(batch())
    assert same == (1.0 if metric.higher_is_better else 0.0)
    assert other < same if metric.higher_is_better else other > same


@pytest.mark.parametrize("name", list(METRICS))
def test_what_is_not_defined_is_nan(name, batch):
    assert np.isnan(METRICS[name].score(batch(durations=False))).any() == (name in NEEDS_DURATIONS)
    if name not in NEEDS_DURATIONS:
        assert np.isnan(METRICS[name].score(batch(text=False))).all() == (name in NEEDS_TEXT)


@pytest.mark.parametrize("name", list(METRICS))
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


@pytest.mark.parametrize("name", list(METRICS))
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

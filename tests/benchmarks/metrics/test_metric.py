"""What a metric is: named once, loaded when it is used."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from scandl.errors import ScandlError
from scandl.pairing import Instance
from scandl.records import Prediction
from scandl_eval.metrics import METRICS
from scandl_eval.metrics.metric import OnDemand

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


def test_names_cost_nothing() -> None:
    code = "import sys; from scandl_eval.metrics import METRICS; list(METRICS); print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_a_misspelt_metric() -> None:
    with pytest.raises(ScandlError, match="no metric 'scasimm'; did you mean 'scasim'"):
        METRICS["scasimm"]

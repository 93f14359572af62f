"""Figures of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from scandl.files.prediction_files import read_predictions
from scandl_eval.reporting.prediction_paths import CLASSES, read_paths
from scandl_eval.running.run_benchmark import run_benchmark
from scandl_eval.running.run_config import RunConfig


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    """A small run on the demo corpus."""
    folder = tmp_path_factory.mktemp("runs") / "small"
    config = RunConfig(settings=("nrns",), models=("left-to-right", "markov"), folds=(0, 1), resamples=100)
    run_benchmark(config, folder)
    return folder


def test_saccades_are_those_of_the_paths(run):
    path = run / "predictions" / "markov" / "nrns.csv"
    counts = dict.fromkeys(range(-5, 6), 0)
    for prediction in read_predictions(path):
        for before, after in zip(prediction.predicted, prediction.predicted[1:], strict=False):
            counts[max(-5, min(5, after - before))] += 1
    total = sum(counts.values())
    shares = read_paths(run, ["markov"], "nrns")[0]["markov"].step_shares()
    assert shares == pytest.approx([count / total for count in counts.values()])
    assert CLASSES[0] == "≤−5"
    assert CLASSES[-1] == "≥5"


def test_rates_are_fixations_over_words(run):
    path = run / "predictions" / "markov" / "nrns.csv"
    found = {
        name: (human, model)
        for name, human, model in read_paths(run, ["markov"], "nrns")[0]["markov"].rates("reader_id")
    }
    predictions = [p for p in read_predictions(path) if p.reader_id == next(iter(found))]
    n_words = sum(len(p.text.split()) for p in predictions)
    human, model = found[predictions[0].reader_id]
    assert human == pytest.approx(sum(len(p.human) for p in predictions) / n_words)
    assert model == pytest.approx(sum(len(p.predicted) for p in predictions) / n_words)

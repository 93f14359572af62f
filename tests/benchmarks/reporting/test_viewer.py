"""The viewer of scanpaths in a report."""

from __future__ import annotations

from pathlib import Path

import pytest

from scandl.files.prediction_files import read_predictions
from scandl.files.tables import read_table
from scandl_eval.reporting.written_reports import build_run_report
from scandl_eval.running.run_benchmark import run_benchmark
from scandl_eval.running.run_config import RunConfig
from scandl_reports.document import Viewer


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    """A small run on the demo corpus."""
    folder = tmp_path_factory.mktemp("runs") / "small"
    config = RunConfig(settings=("nrns",), models=("left-to-right", "markov"), folds=(0, 1), resamples=100)
    run_benchmark(config, folder)
    return folder


@pytest.fixture(scope="module")
def report(run):
    return build_run_report(run)


def blocks(report, kind):
    return [block for section in report.sections for block in section.everything if isinstance(block, kind)]


def test_viewer_shows_the_paths_and_distances_of_the_files(run, report):
    (viewer,) = blocks(report, Viewer)
    scores = {
        (row["reader_id"], row["sentence_id"]): float(row["nld"])
        for row in read_table(run / "scores" / "markov" / "nrns.csv").rows()
    }
    paths = {
        (p.reader_id, p.sentence_id): p for p in read_predictions(run / "predictions" / "markov" / "nrns.csv")
    }
    n_markov = 0
    for sentence in viewer.sentences:
        for reading in sentence.readings:
            if reading.instead_of == "":
                assert reading.words == paths[reading.name, sentence.sentence_id].human
                assert reading.durations is not None
            elif reading.name == "markov":
                n_markov += 1
                key = (reading.instead_of, sentence.sentence_id)
                assert reading.words == paths[key].predicted
                assert reading.distance == scores[key]
    assert n_markov == sum(r.instead_of == "" for s in viewer.sentences for r in s.readings) > 0

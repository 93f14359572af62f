"""The viewer of scanpaths in a report."""

from __future__ import annotations

from pathlib import Path

import pytest

from scandl.errors import DataError
from scandl.files.prediction_files import read_predictions
from scandl.files.tables import read_table
from scandl_eval.reporting.run_report import build_run_report
from scandl_eval.reporting.viewer import read_columns
from scandl_eval.running.run_benchmark import run_benchmark
from scandl_eval.running.tasks import RunConfig
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


def test_fast_reader_reads_what_the_careful_one_reads(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text('a,b,c\nNA,"x, ""y""",1\n,nan,02\n"null\nline",é👁,\n', encoding="utf-8")
    assert read_columns(path, ("a", "b", "c")) == read_table(path).columns
    assert read_columns(path, ("c",), optional=("z", "a")) == {
        name: read_table(path).columns[name] for name in "ac"
    }


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,b\n1,2\n", "column 'c': found only the columns a, b"),
        ("a,c\n1,2\n1,2,3\n", "p.csv:3: found 3 fields, expected 2 as in the header"),
        ("a,c\n1,2\n1\n", "p.csv:3: found 1 fields, expected 2 as in the header"),
        ("", "found an empty file"),
    ],
)
def test_a_broken_table_is_named_by_the_careful_reader(tmp_path, content, message):
    (tmp_path / "p.csv").write_text(content)
    with pytest.raises(DataError, match=message):
        read_columns(tmp_path / "p.csv", ("c",))

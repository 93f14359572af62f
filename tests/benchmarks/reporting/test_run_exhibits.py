"""Figures of a run."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest

from scandl.files.prediction_files import read_predictions
from scandl_eval.leaderboard.leaderboard import Leaderboard
from scandl_eval.reporting.run_exhibits import leaderboard_table
from scandl_eval.reporting.run_report import build_run_report
from scandl_eval.reporting.viewer import CLASSES, read_paths
from scandl_eval.running.run_benchmark import run_benchmark
from scandl_eval.running.tasks import RunConfig
from scandl_eval.scoring.rows import Row
from scandl_reports.document import Table
from scandl_reports.html import to_html
from scandl_reports.plain import to_plain


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


@pytest.fixture(scope="module")
def report(run):
    return build_run_report(run)


def blocks(report, kind):
    return [block for section in report.sections for block in section.everything if isinstance(block, kind)]


def test_every_number_is_that_of_the_result_file(run, report):
    written = json.loads((run / "leaderboard.json").read_text())["rows"]
    details = next(table for table in blocks(report, Table) if table.title.startswith("All metrics"))
    assert [row[2] for row in details.rows] == [row["mean"] for row in written if row["kind"] != "published"]
    assert [row[3] for row in details.rows] == [
        None if row["ci95"] is None else tuple(row["ci95"]) for row in written if row["kind"] != "published"
    ]
    page = to_html(report)
    for row in written:
        if row["kind"] != "published":
            assert f'data-sort="{row["mean"]}"' in page


def test_two_forms_have_the_same_cells(report):
    plain = " ".join(to_plain(report).split())
    page = " ".join(unescape(re.sub(r"<[^>]+>", " ", to_html(report))).split())
    for table in blocks(report, Table):
        for cells in table.rows[:5]:
            for cell in cells:
                if isinstance(cell, float):
                    shown = f"{cell:.3f}".replace("-", "−")
                    shown = "0.000" if shown == "−0.000" else shown  # what rounds to nothing has no sign
                    assert shown in plain
                    assert shown in page


def test_of_a_model_with_variants_the_best_is_shown_and_all_are_under_more():
    rows = [
        Row(setting="ns", model=model, kind="model", metric="nld", n=9, mean=mean)
        for model, mean in {"markov": 0.5, "uniform-m": 0.6, "uniform": 0.7, "uniform-n": 0.8}.items()
    ]
    board = Leaderboard(rows, {}, {}, [])
    short = leaderboard_table(board, "ns", "New Sentence", "Human")
    assert [row[0] for row in short.rows] == ["markov", "uniform-m", "Human"]
    assert "2 others are under More" in short.note
    whole = leaderboard_table(board, "ns", "New Sentence", "Human", variants=True)
    assert [row[0] for row in whole.rows] == ["markov", "uniform-m", "uniform", "uniform-n", "Human"]
    assert "More" not in whole.note

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from scandl_eval.cli import main
from scandl_eval.reporting.written_reports import build_run_report, write_run_report
from scandl_eval.running.run_benchmark import run_benchmark
from scandl_eval.running.run_config import RunConfig
from scandl_reports.writing import load_report


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


def test_command_leaves_html_pdf_and_data(run, report, tmp_path):
    pytest.importorskip("typst", reason="scandl[pdf] is not installed")
    folder = tmp_path / "small"
    shutil.copytree(run, folder)
    write_run_report(folder, tmp_path / "copy.txt")
    assert (folder / "report.html").stat().st_size < 3_000_000
    assert (folder / "report.pdf").read_bytes().startswith(b"%PDF-")
    assert (tmp_path / "copy.txt").read_text().startswith("Benchmark run small\n")
    # Numbers of numpy or lists for tuples would not come back equal; the paths of the folders differ.
    assert load_report(folder / "report.json").sections == report.sections


@pytest.mark.parametrize("ending", ["html", "pdf", "txt"])
def test_nld_writes_a_report(run, tmp_path, ending, capsys):
    out = tmp_path / f"r.{ending}"
    predictions = str(run / "predictions" / "markov" / "nrns.csv")
    assert main(["nld", "--pred", predictions, "--report", str(out), "--json", str(tmp_path / "r.json")]) == 0
    assert out.stat().st_size > 1000
    if ending == "txt":
        mean = json.loads((tmp_path / "r.json").read_text())["rows"][0]["mean"]
        assert re.search(rf"^markov +nld +{mean:.3f} ", out.read_text(), re.MULTILINE)
        assert "left-to-right, which reads every word once, is better than markov" in " ".join(
            out.read_text().split()
        )


def test_an_unknown_ending_is_refused_before_the_work(run, tmp_path, capsys):
    predictions = str(run / "predictions" / "markov" / "nrns.csv")
    assert (
        main(
            [
                "score",
                "--pred",
                predictions,
                "--report",
                str(tmp_path / "r.doc"),
                "--json",
                str(tmp_path / "j"),
            ]
        )
        == 2
    )
    assert (
        capsys.readouterr().err
        == f"scandl-eval: {tmp_path / 'r.doc'}: a report is written as .html, .pdf, .txt, .tex, by the file's ending\n"
    )
    assert list(tmp_path.iterdir()) == []

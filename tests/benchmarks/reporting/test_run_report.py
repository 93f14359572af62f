"""The report of a run: verdict first, what is missing said."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from scandl.errors import DataError
from scandl.files.manifest import write_manifest
from scandl_eval.cli import main
from scandl_eval.leaderboard.leaderboard import read_leaderboard
from scandl_eval.reporting.run_report import build_run_report, write_run_report
from scandl_eval.running.run_benchmark import run_benchmark
from scandl_eval.running.tasks import RunConfig
from scandl_reports.document import Finding, Note, Table
from scandl_reports.html import to_html


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
    shown = [block for section in report.sections for block in section.everything]
    return [block for block in shown if isinstance(block, kind)]


def test_page_starts_with_the_verdict_and_says_that_readers_are_simulated(run, report):
    said = {finding.about: finding.text for finding in report.verdict}
    assert list(said) == [
        "Nearest to the readers",
        "How far from the readers",
        "Better than left to right?",
        "Effects and times",
        "What to distrust",
    ]
    assert "The readers of demo are simulated" in said["What to distrust"]
    assert f"scandl-analysis psycholing --run {run} --setting nrns" in said["Effects and times"]
    assert "Each follows simplified SWIFT" in blocks(report, Note)[-1].text
    names = [section.heading for section in report.sections]
    assert names == [
        "Results: New Reader/New Sentence",
        "Scanpaths",
        "All numbers: New Reader/New Sentence",
        "How this was made",
    ]
    assert report.subtitle == "2 models tested on 30 simulated readers and 80 sentences of demo, seed 1"
    assert report.picture.title == "NLD against energy distance"
    assert dict(report.provenance)["seed"] == "1"
    assert any(name == "input demo" for name, _ in report.provenance)


def test_effects_that_are_in_the_folder_are_not_passed_over(run, tmp_path):
    folder = tmp_path / "analysed"
    shutil.copytree(run, folder)
    (folder / "psycholing" / "nrns").mkdir(parents=True)
    (folder / "psycholing" / "nrns" / "effects.csv").write_text("model\n")
    said = {finding.about: finding.text for finding in build_run_report(folder).verdict}
    assert said["Effects and times"] == (
        f"In the folder, not yet on this page: 'scandl-analysis report {folder}' adds them."
    )


def test_what_is_known_of_effects_stands_before_the_last_sentence(run):
    known = Finding("Effects and times", "skipping falls with length")
    verdict = build_run_report(run, known).verdict
    assert verdict[-2] == known
    assert [finding.about for finding in verdict] == [f.about for f in build_run_report(run).verdict]


def test_what_is_missing_is_said_with_its_command(run, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(run, folder)
    shutil.rmtree(folder / "predictions" / "markov")
    shutil.rmtree(folder / "scores")
    (missing,) = [note.text for note in blocks(build_run_report(folder), Note) if note.kind == "missing"]
    assert missing.startswith(
        "No predictions of markov in New Reader/New Sentence: run 'scandl-eval run --config "
    )
    shutil.rmtree(folder / "predictions")
    notes = [note.text for note in blocks(build_run_report(folder), Note) if note.kind == "missing"]
    assert "No figure “Saccade lengths: New Reader/New Sentence”: there are no numbers to draw." in notes
    assert "No predictions, so no scanpaths to look at." in notes
    (folder / "leaderboard.json").unlink()
    (note,) = blocks(build_run_report(folder), Note)
    assert note.text == (
        f"No leaderboard.json: make it with 'scandl-eval run --config {folder / 'run.toml'} --out {folder}'."
    )
    (folder / "run.toml").unlink()
    with pytest.raises(DataError, match=r"found no run.toml, expected the folder of a 'scandl-eval run'"):
        build_run_report(folder)


def test_a_model_called_script_is_only_a_name(run, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(run, folder)
    name = "<script>alert(1)<"
    for room in ("predictions", "scores"):
        (folder / room / "markov").rename(folder / room / name)
    text = (folder / "leaderboard.json").read_text()
    (folder / "leaderboard.json").write_text(text.replace('"markov"', json.dumps(name)))
    write_manifest(folder, folder.glob("leaderboard.*"), {})
    assert read_leaderboard(folder).find("nrns", name, "nld") is not None
    report = build_run_report(folder)
    page = to_html(report)
    assert name not in page
    assert "&lt;script&gt;alert(1)&lt;" in page
    assert [cells[0] for cells in blocks(report, Table)[0].rows] == [
        name,
        "left-to-right",
        "simulated readers",
    ]


def test_command_leaves_html_and_pdf(run, tmp_path):
    pytest.importorskip("typst", reason="scandl[pdf] is not installed")
    folder = tmp_path / "small"
    shutil.copytree(run, folder)
    write_run_report(folder, tmp_path / "copy.txt")
    assert (folder / "report.html").stat().st_size < 3_000_000
    assert (folder / "report.pdf").read_bytes().startswith(b"%PDF-")
    assert (tmp_path / "copy.txt").read_text().startswith("Benchmark run small\n")


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

from __future__ import annotations

import json
import re
import shutil
from html import unescape
from pathlib import Path

import pytest

from scandl.errors import DataError
from scandl.files.prediction_files import read_predictions
from scandl.files.tables import read_table
from scandl_eval.cli import main
from scandl_eval.leaderboard.board_rows import read_leaderboard
from scandl_eval.reporting.prediction_paths import CLASSES, read_paths
from scandl_eval.reporting.written_reports import build_run_report, write_run_report
from scandl_eval.running.run_benchmark import run_benchmark
from scandl_eval.running.run_config import RunConfig
from scandl_reports.document import Note, Table, Viewer
from scandl_reports.html import to_html
from scandl_reports.plain import to_plain
from scandl_reports.storage import load_report


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
    return [block for section in report.sections for block in section.blocks if isinstance(block, kind)]


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


def test_page_starts_with_the_verdict_and_says_that_readers_are_simulated(run, report):
    assert [finding.about for finding in report.verdict][:2] == ["Data", "Best by NLD"]
    assert "The readers of demo are simulated" in report.verdict[0].text
    assert "Each follows simplified SWIFT" in report.verdict[0].text
    assert report.verdict[-1].about == "Effects"
    assert f"scandl-analysis psycholing --run {run} --setting nrns" in report.verdict[-1].text
    names = [section.title for section in report.sections]
    assert names == ["New Reader/New Sentence", "Scanpaths", "All numbers", "How this was made"]
    assert report.subtitle == "Corpus demo, seed 1, 2 models"
    assert dict(report.provenance)["seed"] == "1"
    assert any(name == "input demo" for name, _ in report.provenance)


def test_effects_that_are_in_the_folder_are_not_passed_over(run, tmp_path):
    folder = tmp_path / "analysed"
    shutil.copytree(run, folder)
    (folder / "psycholing" / "nrns").mkdir(parents=True)
    (folder / "psycholing" / "nrns" / "effects.csv").write_text("model\n")
    finding = build_run_report(folder).verdict[-1]
    assert finding.text == (
        "The folder has effects (psycholing/nrns), made from these predictions or from earlier ones; "
        f"'scandl-analysis report {folder}' puts them onto this page."
    )


def test_command_leaves_html_pdf_and_data(run, report, tmp_path):
    folder = tmp_path / "small"
    shutil.copytree(run, folder)
    write_run_report(folder, tmp_path / "copy.txt")
    assert (folder / "report.html").stat().st_size < 3_000_000
    assert (folder / "report.pdf").read_bytes().startswith(b"%PDF-")
    assert (tmp_path / "copy.txt").read_text().startswith("Benchmark run small\n")
    # Numbers of numpy or lists for tuples would not come back equal; the paths of the folders differ.
    assert load_report(folder / "report.json").sections == report.sections


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
    assert read_leaderboard(folder).find("nrns", name, "nld") is not None
    report = build_run_report(folder)
    page = to_html(report)
    assert name not in page
    assert "&lt;script&gt;alert(1)&lt;" in page
    assert [cells[0] for cells in blocks(report, Table)[0].rows] == ["left-to-right", name, "Human"]


def test_too_few_resamples_are_said(run, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(run, folder)
    text = (folder / "run.toml").read_text()
    (folder / "run.toml").write_text(text.replace("resamples = 100", "resamples = 39"))
    shutil.rmtree(folder / "predictions")
    beware = [finding.text for finding in build_run_report(folder).verdict if finding.about == "Beware"]
    assert beware == [
        "39 bootstrap resamples cannot separate 2 models whatever their scores: draw at least 40 (--resamples)."
    ]


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
        == f"scandl-eval: {tmp_path / 'r.doc'}: a report is written as .html, .pdf, .txt, by the file's ending\n"
    )
    assert list(tmp_path.iterdir()) == []

"""``scandl-analysis report``, which the command itself holds."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from scandl.extras import install_command
from scandl_analysis.cli import main
from scandl_eval.cli import main as evaluate


def test_command_writes_html_and_pdf(effects_run, capsys):
    pytest.importorskip("typst", reason="scandl[pdf] is not installed")
    assert main(["report", str(effects_run)]) == 0
    assert (
        capsys.readouterr().out
        == f"written: {effects_run / 'report.html'}\nwritten: {effects_run / 'report.pdf'}\n"
    )
    assert (effects_run / "report.html").read_text().count("<h1>") == 1
    assert (effects_run / "report.pdf").read_bytes().startswith(b"%PDF-")


def test_without_typst_the_page_is_written_and_the_pdf_is_said(effects_run, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "typst", None)
    assert main(["report", str(effects_run)]) == 0
    said = f"no report.pdf: typst is not installed ({install_command('pdf')})"
    assert capsys.readouterr().out == f"written: {effects_run / 'report.html'}\n{said}\n"
    assert not (effects_run / "report.pdf").exists()
    monkeypatch.setattr(
        "scandl_analysis.chapters.whole_report.build_full_report", lambda _: pytest.fail("built it first")
    )
    assert main(["report", str(effects_run), "--out", str(effects_run / "mine.pdf")]) == 2
    needs = f"this needs typst, which is not installed: {install_command('pdf')}"
    assert capsys.readouterr().err == f"scandl-analysis: {needs}\n"


def test_the_page_of_a_run_has_the_chapters_of_evaluation_and_analysis(tmp_path, capsys):
    run, page = tmp_path / "run", tmp_path / "page.txt"
    few = ["--settings", "nrns", "--folds", "0", "--resamples", "20", "--quiet"]
    assert evaluate(["run", "--models", "uniform,left-to-right", "--out", str(run), *few]) == 0
    assert (
        main(["variability", "--run", str(run), "--out", str(run / "variability" / "nrns"), "--quiet"]) == 0
    )
    assert main(["report", str(run), "--out", str(page)]) == 0
    text = page.read_text()
    for said in (
        "Results: New Reader/New Sentence",
        "Variability: New Reader/New Sentence",
        "What to distrust",
    ):
        assert said in text
    assert text.count("Effects and times") == 1
    (run / "leaderboard.json").write_text("{")
    capsys.readouterr()
    assert main(["report", str(run), "--out", str(page)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"scandl-analysis: {run / 'leaderboard.json'}")
    assert error.count("\n") == 1


def _replace(path: Path, old: str, new: str) -> None:
    path.write_text(path.read_text().replace(old, new))


@pytest.mark.parametrize(
    ("break_it", "message"),
    [
        (
            lambda effects_run: (effects_run / "psycholing/nrns/effects.csv").write_text("a,b\n1,2\n"),
            "column 'model'",
        ),
        (
            lambda effects_run: _replace(effects_run / "psycholing/nrns/effects.csv", "-0.5,", "x,"),
            "column 'mean'",
        ),
    ],
)
def test_a_broken_file_is_one_line(effects_run, capsys, break_it, message):
    break_it(effects_run)
    assert main(["report", str(effects_run)]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert message in error
    assert not (effects_run / "report.html").exists()


def test_no_folder_is_said(tmp_path, capsys):
    assert main(["report", str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err == (
        f"scandl-analysis: {tmp_path / 'none'}: found no folder, expected the folder of a benchmark run\n"
    )


def test_any_folder_is_not_a_run(tmp_path, capsys):
    assert main(["report", str(tmp_path)]) == 2
    assert capsys.readouterr().err == (
        f"scandl-analysis: {tmp_path}: found no run.toml, expected the folder of a benchmark run\n"
    )
    assert list(tmp_path.iterdir()) == []

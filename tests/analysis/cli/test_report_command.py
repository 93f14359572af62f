"""``scandl-analysis report``."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from scandl.extras import install_command
from scandl_analysis.cli import main
from scandl_reports.document import Finding, Report, Section, Text
from scandl_reports.writing import save_report

EFFECTS = """setting,model,measure,predictor,mean,sd,ci_low,ci_high,rhat,ess_bulk,ess_tail,n_rows,engine,priors,note
nrns,human,sr,word_length,-0.5,0.1,-0.7,-0.3,1.0,900,800,100,nuts,brms,
nrns,human,sr,frequency,0.25,0.1,0.05,0.45,1.0,900,800,100,nuts,brms,
nrns,human-half-1,sr,word_length,-0.4,0.1,-0.6,-0.2,1.0,900,800,50,nuts,brms,
nrns,markov,sr,word_length,0.125,0.1,-0.1,0.3,1.0,900,800,100,nuts,brms,
nrns,markov,sr,frequency,0.0625,0.1,-0.1,0.3,1.0,900,800,100,nuts,brms,
nrns,left-to-right,sr,word_length,,,,,,,,100,nuts,brms,"not estimable: sr is 0 in all 100 words"
"""

RECOVERY = """setting,model,measure,predictor,human,model_effect,human_minus_model,sd,ci_low,ci_high,p_same_sign,rope,p_in_rope,ratio,note
nrns,markov,sr,word_length,-0.5,0.125,-0.625,0.1,-0.8,-0.4,0.1,0.1,0.0,-0.25,
nrns,markov,sr,frequency,0.25,0.0625,0.1875,0.1,-0.01,0.4,0.9,0.1,0.2,0.25,
nrns,left-to-right,sr,word_length,-0.5,,,,,,,0.1,,,not estimable
nrns,human-half-2,sr,word_length,-0.5,-0.5,0.0,0.1,-0.2,0.2,0.99,0.1,0.7,1.0,
"""

SUMMARY = """setting,model,cells,same_sign,mean_abs,rmse,mean_abs_posterior,mean_abs_low,mean_abs_high,minus_nearest,minus_nearest_low,minus_nearest_high,note
nrns,markov,2,1,0.40625,0.46,0.41,0.3,0.5,0.0,0.0,0.0,
nrns,left-to-right,0,0,,,,,,,,,
nrns,no effects,2,0,0.375,0.395,0.375,0.2,0.55,-0.035,-0.2,0.1,
nrns,human split-half,2,2,0.05,0.06,0.06,0.03,0.12,,,,not sampled well: human-half-1 sr
"""

WORDS = """source,setting,fold,sample,reader_id,sentence_id,word_index,word,sr,fpr,ffc,tfc,word_length,frequency,surprisal
human,all,0,0,r1,s1,0,The,0,0,1,1,3,7.7,2.9
human,all,0,0,r1,s1,1,cat,1,0,0,0,3,5.1,8.9
human,all,0,0,r1,s1,2,sat,0,0,2,6,3,5.1,8.9
human,all,0,0,r1,s1,3,down,0,0,1,1,3,5.1,8.9
markov,nrns,0,0,r1,s1,0,The,1,0,0,0,3,7.7,2.9
markov,nrns,0,0,r1,s1,1,cat,1,0,0,0,3,7.7,2.9
"""


@pytest.fixture
def run(tmp_path: Path) -> Path:
    folder = tmp_path / "run"
    out = folder / "psycholing" / "nrns"
    out.mkdir(parents=True)
    for name, text in (
        ("effects", EFFECTS),
        ("recovery", RECOVERY),
        ("recovery-summary", SUMMARY),
        ("words", WORDS),
    ):
        (out / f"{name}.csv").write_text(text, encoding="utf-8")
    for setting in ("ns", "nrns"):
        (folder / "predictions" / "markov").mkdir(parents=True, exist_ok=True)
        (folder / "predictions" / "markov" / f"{setting}.csv").write_text("sentence_id,predicted\n")
    base = Report(
        "Benchmark run run", "", (Finding("Best by NLD", "markov"), Finding("Effects", "not here")),
        (Section("New Sentence", (Text("numbers"),)), Section("All numbers", (Text("more"),), appendix=True)),
        (), (("seed", "1"),),
    )  # fmt: skip
    save_report(base, folder / "report.json")
    return folder


def test_command_writes_html_and_pdf(run, capsys):
    pytest.importorskip("typst", reason="scandl[pdf] is not installed")
    assert main(["report", str(run)]) == 0
    assert capsys.readouterr().out == f"written: {run / 'report.html'}\nwritten: {run / 'report.pdf'}\n"
    assert (run / "report.html").read_text().count("<h1>") == 1
    assert (run / "report.pdf").read_bytes().startswith(b"%PDF-")


def test_without_typst_the_page_is_written_and_the_pdf_is_said(run, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "typst", None)
    assert main(["report", str(run)]) == 0
    said = f"no report.pdf: typst is not installed ({install_command('pdf')})"
    assert capsys.readouterr().out == f"written: {run / 'report.html'}\n{said}\n"
    assert not (run / "report.pdf").exists()
    monkeypatch.setattr(
        "scandl_analysis.chapters.whole_report.build_full_report", lambda _: pytest.fail("built it first")
    )
    assert main(["report", str(run), "--out", str(run / "mine.pdf")]) == 2
    needs = f"this needs typst, which is not installed: {install_command('pdf')}"
    assert capsys.readouterr().err == f"scandl-analysis: {needs}\n"


@pytest.mark.parametrize(
    ("break_it", "message"),
    [
        (lambda run: (run / "psycholing/nrns/effects.csv").write_text("a,b\n1,2\n"), "column 'model'"),
        (
            lambda run: (run / "psycholing/nrns/effects.csv").write_text(EFFECTS.replace("-0.5,", "x,")),
            "column 'mean'",
        ),
        (lambda run: (run / "report.json").write_text("{"), "expected a saved report"),
    ],
)
def test_a_broken_file_is_one_line(run, capsys, break_it, message):
    break_it(run)
    assert main(["report", str(run)]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert message in error
    assert not (run / "report.html").exists()


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

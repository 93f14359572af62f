"""Definitions in the chapter on effects."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from scandl_analysis.chapters.effects_appendix import model_checks_section
from scandl_analysis.chapters.effects_chapter import build_effects_report
from scandl_analysis.chapters.result_tables import read_effects, read_model_checks
from scandl_analysis.chapters.whole_report import build_full_report
from scandl_reports.document import Figure, Finding, Note, Report, Section, Table, Text
from scandl_reports.writing import save_report

DIAGNOSTICS = """model,measure,n_rows,engine,n_parameters,rhat,ess_bulk,ess_tail,divergences,e_bfmi,saturated
human,tfc,100,nuts,5,1.003,2100.5,900.25,0,0.9,0
markov,tfc,90,mle,,,,,,,
human-half-1,tfc,50,nuts,5,1.013,2000.5,800.5,0,0.9,0
"""
CHECKS = """model,measure,check,class,n_words,observed,expected,ci_low,ci_high,count
human,tfc,mean by word length,1–3,50,0.7,0.75,0.6,0.8,
human,tfc,mean by word length,4–5,50,0.9,0.75,0.6,0.8,
human,tfc,mean by reader,r1,100,0.8,0.8,0.7,0.9,
human,tfc,rootogram,,,64,60,50,70,0
human,tfc,rootogram,,,36,30,32,40,1
human,tfc,rootogram,,,0,10,5,15,2
human,tfc,dispersion,,,0.68,1.0,0.95,1.05,
human,tfc,prior predictive mean,,,0.8,1.0,0.1,9.5,
human-half-1,tfc,mean by word length,1–3,50,0.7,0.75,0.6,0.8,
markov,tfc,mean by word length,1–3,50,0.6,0.75,0.6,0.8,
"""
COLLINEARITY = "predictor,vif,r(word_length),r(frequency)\nword_length,1.5,1.0,-0.6\nfrequency,1.5,-0.6,1.0\n"
PRIORS = """model,measure,parameter,prior
human,tfc,word_length,Flat()
human,tfc,sd(reader_id),"HalfStudentT(nu=3, sigma=2.5)"
markov,tfc,word_length,Flat()
"""


@pytest.fixture
def section(tmp_path: Path) -> Section:
    files = {"diagnostics": DIAGNOSTICS, "checks": CHECKS, "collinearity": COLLINEARITY, "priors": PRIORS}
    for name, text in files.items():
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    return model_checks_section(read_model_checks(tmp_path), "New Sentence")


def tables(section: Section) -> list[Table]:
    return [block for block in section.blocks if isinstance(block, Table)]


def test_every_line_of_the_checklist_has_its_table(section: Section) -> None:
    chains, checks, correlations, priors = tables(section)
    assert chains.rows == (
        ("readers", "tfc", 100, "nuts", 1.003, 2100, 900, 0, 0.9),
        ("markov", "tfc", 90, "mle", None, None, None, None, None),
        ("readers, half 1", "tfc", 50, "nuts", 1.013, 2000, 800, 0, 0.9),
    )  # halves too: the split-half row rests on them
    assert checks.rows == (
        ("readers", "tfc", "1 of 2", "0 of 1", "1 of 3", 0.68, (0.95, 1.05), (0.1, 9.5)),
        ("markov", "tfc", "0 of 1", "–", "–", None, None, None),
    )  # an observation on the edge of its interval is inside; rootogram: 0 words where 5 to 15 are expected
    assert correlations.rows[0] == ("word_length", 1.5, 1.0, -0.6)
    assert priors.rows == (
        ("word_length", "Flat()", "tfc", "readers, markov"),
        ("sd(reader_id)", "HalfStudentT(nu=3, sigma=2.5)", "tfc", "readers"),
    )
    assert section.appendix


def test_rootogram_has_the_counts_of_the_readers(section: Section) -> None:
    (figure,) = [block for block in section.blocks if isinstance(block, Figure)]
    assert figure.data.rows == (
        ("readers tfc", "0", 64.0, 60.0, (50.0, 70.0)),
        ("readers tfc", "1", 36.0, 30.0, (32.0, 40.0)),
        ("readers tfc", "≥2", 0.0, 10.0, (5.0, 15.0)),
    )


def test_quick_looks_have_no_chains(tmp_path: Path) -> None:
    (tmp_path / "diagnostics.csv").write_text("".join(DIAGNOSTICS.splitlines(keepends=True)[0:3:2]))
    blocks = model_checks_section(read_model_checks(tmp_path), "New Sentence").blocks
    assert isinstance(blocks[0], Note)
    assert "quick looks" in blocks[0].text


def test_flat_priors_leave_no_empty_column(tmp_path: Path) -> None:
    flat = [line for line in CHECKS.splitlines(keepends=True) if "prior predictive" not in line]
    (tmp_path / "checks.csv").write_text("".join(flat))
    (table,) = tables(model_checks_section(read_model_checks(tmp_path), "New Sentence"))
    assert "prior 95 %" not in [column.name for column in table.columns]


def test_what_was_not_written_is_said(tmp_path: Path) -> None:
    blocks = model_checks_section(read_model_checks(tmp_path), "New Sentence").blocks
    assert [block.text for block in blocks if isinstance(block, Note)] == [
        f"There is no {name}.csv." for name in ("diagnostics", "checks", "collinearity", "priors")
    ]


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


def test_k_hat_is_defined_where_it_is_shown(run):
    found = read_effects(run / "psycholing" / "nrns")
    noted = replace(found, effects=found.effects.assign(engine="imh", note="k-hat 0.31"))
    (term,) = [term for term in build_effects_report(noted).terms if term.name == "k-hat"]
    assert "from 0.7 on" in term.definition


def test_two_engines_in_one_report_have_one_definition_each(run):
    shutil.copytree(run / "psycholing" / "nrns", run / "psycholing" / "quick")
    path = run / "psycholing" / "quick" / "effects.csv"
    path.write_text(path.read_text().replace(",nuts,", ",mle,"))
    terms = [term for term in build_full_report(run).terms if term.name == "effect"]
    assert [term.definition for term in terms] == [
        "Slope of a standardised predictor: the posterior mean of a Bayesian regression; with mle, the maximum-likelihood "
        "estimate without reader terms, a quick look. On the logit scale for sr and fpr, on the log scale for ffc and tfc."
    ]

"""Definitions in the chapter on effects."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from scandl_analysis.chapters.effects_appendix import misfit_verdict, model_checks_section
from scandl_analysis.chapters.result_tables import read_effects, read_model_checks
from scandl_analysis.chapters.whole_report import build_full_report
from scandl_reports.document import Figure, Note, Section, Table

DIAGNOSTICS = """model,measure,n_rows,engine,n_parameters,rhat,ess_bulk,ess_tail,divergences,e_bfmi,saturated
human,tfc,100,hmc,5,1.003,2100.5,900.25,0,0.9,0
markov,tfc,90,laplace,,,,,,,
human-half-1,tfc,50,hmc,5,1.013,2000.5,800.5,0,0.9,0
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
        ("readers", "all fixations", 100, "hmc", 1.003, 2100, 900, 0, 0.9),
        ("markov", "all fixations", 90, "laplace", None, None, None, None, None),
        ("readers, half 1", "all fixations", 50, "hmc", 1.013, 2000, 800, 0, 0.9),
    )  # halves too: the split-half row rests on them
    assert checks.rows == (
        ("readers", "all fixations", "1 of 2", "0 of 1", "1 of 3", 0.68, (0.95, 1.05), (0.1, 9.5)),
        ("markov", "all fixations", "0 of 1", "–", "–", None, None, None),
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
        ("readers, all fixations", "0", 64.0, 60.0, (50.0, 70.0)),
        ("readers, all fixations", "1", 36.0, 30.0, (32.0, 40.0)),
        ("readers, all fixations", "≥2", 0.0, 10.0, (5.0, 15.0)),
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


def checked(effects_run: Path, checks: str) -> str:
    """Return what is said of misfit where the checks are these."""
    folder = effects_run / "psycholing" / "nrns"
    head = "model,measure,check,class,n_words,observed,expected,ci_low,ci_high,count\n"
    (folder / "checks.csv").write_text(head + checks)
    return misfit_verdict(read_effects(folder))


def test_misfit_that_matters_for_an_effect_is_said(effects_run):
    """Half of the effect of length on skipping is 5 points, so a miss of 6 matters and one of 4 does not."""
    curved = "human,sr,mean by word length,8+,9,0.16,0.10,0.08,0.12,\n"
    assert checked(effects_run, curved) == "The effect of length on skipping is not straight."
    assert checked(effects_run, curved.replace("0.16", "0.14")) == ""
    assert checked(effects_run, curved.replace("0.12", "0.20")) == ""
    assert checked(effects_run, curved.replace("human", "markov")) == ""
    dispersed = "human,sr,dispersion,,9,0.5,1.0,0.9,1.1,\n"
    assert checked(effects_run, dispersed) == (
        "Skipping vary less than the regression assumes (0.50 times); errors that do not assume it are 1.5 times as "
        "large."
    )
    assert checked(effects_run, dispersed.replace("0.5,1.0", "1.0,1.0")) == ""


def test_two_engines_in_one_report_have_one_definition_each(effects_run):
    shutil.copytree(effects_run / "psycholing" / "nrns", effects_run / "psycholing" / "quick")
    path = effects_run / "psycholing" / "quick" / "effects.csv"
    path.write_text(path.read_text().replace(",hmc,", ",laplace,"))
    terms = [term for term in build_full_report(effects_run).terms if term.name == "slope"]
    assert [term.definition for term in terms] == [
        "Slope of a standardised predictor: the posterior mean of a Bayesian regression; with laplace, the mean of a "
        "Laplace approximation to a Bayesian posterior, a quick look. On the logit scale for "
        "skipping and regressing, on the log scale for counts and times."
    ]

"""The chapter on effects: numbers and figures are those of the files."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scandl_analysis.chapters.effects_chapter import build_effects_report
from scandl_analysis.chapters.result_tables import read_effects
from scandl_analysis.chapters.whole_report import build_full_report
from scandl_reports.document import Figure, Note, Table


def blocks(report, kind):
    return [block for section in report.sections for block in section.everything if isinstance(block, kind)]


def test_numbers_are_those_of_the_files(effects_run):
    tables = {table.title.split(":")[0]: table for table in blocks(build_full_report(effects_run), Table)}
    effects = tables["All effects"].rows
    assert effects[0][:-1] == (
        *("readers", "skipping, percentage points", "length", "−10.0 [−14.0, −6.0]"),
        *("letter", "−5.0 [−7.0, −3.0]", -0.5, (-0.7, -0.3), 1.0, 100, ""),
    )
    assert effects[4][3:-1] == (
        *("0.0 [0.0, 0.0]", "letter", "0.0 [0.0, 0.0]", None, None, None, 100),
        "not estimable: sr is 0 in all 100 words",
    )
    verdicts = tables["Verdicts on the effects of words"].rows
    assert verdicts[0] == ("markov", 2, 0, 0, 0, 1, 1, 1.4, (0.9, 2.1), "nearest", None)
    assert verdicts[1][:8] == ("left-to-right", 2, 0, 1, 0, 0, 0, None)
    assert verdicts[3][-1] == "not sampled well: human-half-1 sr"
    single = tables["Verdicts on the effects of words, one by one"].rows
    assert single[0] == (
        *("skipping, percentage points", "length", "−10.0 [−14.0, −6.0]"),
        *("2.5 wrong sign", "0.0 too weak", "−10.0 equivalent"),
    )


def test_published_effects_stand_beside_ours_where_the_setting_is_theirs(effects_run):
    tables = {table.title.split(":")[0]: table for table in blocks(build_full_report(effects_run), Table)}
    effects = tables["All effects"]
    assert effects.columns[-1].name == "published slope (CELER)"
    assert {row[0]: row[-1] for row in effects.rows if row[2] == "frequency"} == {
        "readers": "0.07 [0.05, 0.08]",
        "markov": "–",  # the paper has none
    }
    slopes = {row[0]: row[1:] for row in tables["Slopes beside published ones"].rows}
    assert slopes["markov"] == (2, 1, 0.40625, 0.46)
    assert slopes["scandl, published (CELER)"] == (
        12,
        12,
        *[pytest.approx(x, abs=5e-5) for x in (0.0875, 0.1186)],
    )
    path = effects_run / "psycholing" / "nrns" / "effects.csv"
    path.write_text(path.read_text().replace("nrns,", "ns,"))
    elsewhere = {table.title.split(":")[0]: table for table in blocks(build_full_report(effects_run), Table)}
    assert elsewhere["All effects"].columns[-1].name == "note"


def test_figures_have_the_data_of_the_files(effects_run):
    figures = {
        figure.title.split(":")[0]: figure.data.rows
        for figure in blocks(build_full_report(effects_run), Figure)
    }
    forest = figures["Effects of words on reading"]
    assert ("markov", "sr", "frequency", 1.0, (-1.6, 4.8)) in forest
    assert not [row for row in forest if str(row[0]).startswith("human-half")]
    heat = {row[0]: row[1:3] for row in figures["How far the effects of words are apart"]}
    assert heat == {
        "markov": (-2.5, -1.5),  # in margins
        "left-to-right": (-2.0, None),
        "two halves of the readers": (0.0, None),
    }
    fixations = figures["Distribution of fixations of a word"]
    assert [row[2] for row in fixations] == [0.25, 0.5, 0.0, 0.0, 0.25, 1.0, 0.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("engine", "kind"),
    [
        ("hmc", "Bayesian regressions of"),
        ("laplace", "Laplace approximations of Bayesian regressions, a quick look, of"),
    ],
)
def test_the_title_says_what_kind_of_regression_it_is(engine, kind, effects_run):
    found = read_effects(effects_run / "psycholing" / "nrns")
    named = replace(found, effects=found.effects.assign(engine=engine))
    report = build_effects_report(named)
    assert report.subtitle.startswith(kind)
    # Definitions fit the engine too.
    terms = {term.name: term.definition for term in report.terms}
    assert (
        ("posterior mean" in terms["slope"])
        == ("posterior draws" in terms["95 % (regression)"])
        == (engine == "hmc")
    )


def test_captions_say_of_how_many_words_the_human_rows_are(effects_run):
    (forest, *_) = blocks(build_full_report(effects_run), Figure)
    assert "Rows of readers:" not in forest.caption  # the same reader and sentence
    path = effects_run / "psycholing" / "nrns" / "words.csv"
    path.write_text(path.read_text() + "human,all,0,0,r2,s1,0,The,0,0,1,1,3,7.7,2.9\n")
    (forest, *_) = blocks(build_full_report(effects_run), Figure)
    assert forest.caption.endswith(
        "Rows of readers: 5 words, 2 scanpaths (whole corpus); of models: 2 words, 1 scanpath (their test items)."
    )


def test_words_are_not_needed(effects_run):
    (effects_run / "psycholing" / "nrns" / "words.csv").unlink()
    (effects_run / "psycholing" / "nrns" / "recovery.csv").unlink()
    (effects_run / "psycholing" / "nrns" / "recovery-summary.csv").unlink()
    texts = [note.text for note in blocks(build_full_report(effects_run), Note)]
    assert any("has no words.csv" in text for text in texts)
    assert any("No figure “How far the effects of words are apart" in text for text in texts)

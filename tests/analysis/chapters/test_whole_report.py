from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from scandl_analysis.chapters.effects_chapter import build_effects_report
from scandl_analysis.chapters.result_tables import read_effects
from scandl_analysis.chapters.whole_report import build_full_report
from scandl_reports.document import Finding, Note, Report, Section, Table, Text
from scandl_reports.plain import to_plain
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
        "Benchmark run run", "", (Finding("Best by NLD", "markov"), Finding("Effects and times", "not here"), Finding("What to distrust", "it")),
        (Section("New Sentence", (Text("numbers"),)), Section("All numbers", (Text("more"),), appendix=True)),
        (), (("seed", "1"),),
    )  # fmt: skip
    save_report(base, folder / "report.json")
    return folder


def blocks(report, kind):
    shown = [block for section in report.sections for block in section.everything]
    return [block for block in shown if isinstance(block, kind)]


def test_chapters_are_added_before_the_appendix_and_the_verdict_is_told(run):
    report = build_full_report(run)
    assert [section.heading for section in report.sections] == [
        "New Sentence", "Effects: New Reader/New Sentence", "All numbers",
        "Checks of the regressions: New Reader/New Sentence", "Not analysed yet",
    ]  # fmt: skip
    assert [(finding.about, finding.text) for finding in report.verdict] == [
        ("Best by NLD", "markov"),
        (
            "Effects and times",
            "New Reader/New Sentence: markov is the only model with 2 effects that can be estimated (1 of 2 effects "
            "have the same sign; mean absolute difference 0.410 [0.300, 0.500]).",
        ),
        ("What to distrust", "it"),
    ]
    assert report.sections[1].blocks[0].text == (
        "markov is the only model with 2 effects that can be estimated (1 of 2 effects have the same sign; mean "
        "absolute difference 0.410 [0.300, 0.500]). A reader without any effect is 0.375 [0.200, 0.550] away: markov "
        "is not separably nearer than that. For scale, two halves of the readers differ by 0.060 [0.030, 0.120], "
        "2 of 2 effects have the same sign; not sampled well: human-half-1 sr. For left-to-right none of the 2 "
        "effects of the readers can be estimated."
    )


def test_two_analyses_of_a_setting_are_told_apart_by_their_folder(run):
    shutil.copytree(run / "psycholing" / "nrns", run / "psycholing" / "joint")
    report = build_full_report(run)
    for start in ("Effects: ", "Checks of the regressions: "):
        assert [section.heading for section in report.sections if section.heading.startswith(start)] == [
            f"{start}New Reader/New Sentence (psycholing/{name})" for name in ("joint", "nrns")
        ]
    titles = [block.title for block in blocks(report, Table)]
    assert len(set(titles)) == len(titles)


def test_missing_analyses_are_named_with_their_command(run):
    (note,) = [
        note
        for note in blocks(build_full_report(run), Note)
        if note.kind == "missing" and "No effects" in note.text
    ]
    assert note.text == (
        f"No effects for New Sentence: 'scandl-analysis psycholing --run {run} --setting ns --out "
        f"{run / 'psycholing' / 'ns'}' makes them."
    )


def test_a_run_without_anything_says_what_makes_it(tmp_path):
    (tmp_path / "run.toml").touch()
    report = build_full_report(tmp_path)
    assert "'scandl-eval run --corpus … --out" in blocks(report, Note)[0].text
    assert "Not analysed yet: 'scandl-analysis psycholing" in report.verdict[0].text


def test_an_analysis_has_a_report_of_its_own(run):
    (run / "psycholing" / "nrns" / "effects.csv.json").write_text('{"notes": ["surprisal: unigram"]}')
    report = build_effects_report(read_effects(run / "psycholing" / "nrns"))
    assert "\nsurprisal: unigram.\n" in to_plain(report)
    assert "not estimable: sr is 0 in all 100 words" in to_plain(report)
    assert any(
        name.startswith("report input ") and value.startswith("sha256 ") for name, value in report.provenance
    )

from __future__ import annotations

import shutil

from scandl_analysis.chapters.effects_chapter import build_effects_report
from scandl_analysis.chapters.result_tables import read_effects
from scandl_analysis.chapters.whole_report import build_full_report
from scandl_reports.document import Note, Table
from scandl_reports.plain import to_plain


def blocks(report, kind):
    shown = [block for section in report.sections for block in section.everything]
    return [block for block in shown if isinstance(block, kind)]


def test_chapters_are_added_before_the_appendix_and_the_verdict_is_told(effects_run):
    report = build_full_report(effects_run)
    assert [section.heading for section in report.sections] == [
        "New Sentence",
        "Effects: New Reader/New Sentence",
        "All numbers",
        "Checks of the regressions: New Reader/New Sentence",
        "Not analysed yet",
    ]
    assert [(finding.about, finding.text) for finding in report.verdict] == [
        ("Best by NLD", "markov"),
        (
            "Effects and times",
            "New Reader/New Sentence: markov cannot be shown to be nearer to the word effects of people than a reader "
            "without any effect.",
        ),
        ("What to distrust", "it"),
    ]


def test_two_analyses_of_a_setting_are_told_apart_by_their_folder(effects_run):
    shutil.copytree(effects_run / "psycholing" / "nrns", effects_run / "psycholing" / "joint")
    report = build_full_report(effects_run)
    for start in ("Effects: ", "Checks of the regressions: "):
        assert [section.heading for section in report.sections if section.heading.startswith(start)] == [
            f"{start}New Reader/New Sentence (psycholing/{name})" for name in ("joint", "nrns")
        ]
    titles = [block.title for block in blocks(report, Table)]
    assert len(set(titles)) == len(titles)


def test_missing_analyses_are_named_with_their_command(effects_run):
    (note,) = [
        note
        for note in blocks(build_full_report(effects_run), Note)
        if note.kind == "missing" and "No effects" in note.text
    ]
    assert note.text == (
        f"No effects for New Sentence: 'scandl-analysis psycholing --run {effects_run} --setting ns --out "
        f"{effects_run / 'psycholing' / 'ns'}' makes them."
    )


def test_a_run_without_anything_says_what_makes_it(tmp_path):
    (tmp_path / "run.toml").touch()
    report = build_full_report(tmp_path)
    assert blocks(report, Note)[0].text.startswith(
        "No leaderboard.json: make it with 'scandl-eval run --config"
    )
    assert "Not analysed yet: 'scandl-analysis psycholing" in report.verdict[0].text


def test_an_analysis_has_a_report_of_its_own(effects_run):
    (effects_run / "psycholing" / "nrns" / "effects.csv.json").write_text('{"notes": ["surprisal: unigram"]}')
    report = build_effects_report(read_effects(effects_run / "psycholing" / "nrns"))
    assert "\nsurprisal: unigram.\n" in to_plain(report)
    assert "not estimable: sr is 0 in all 100 words" in to_plain(report)
    assert any(
        name.startswith("report input ") and value.startswith("sha256 ") for name, value in report.provenance
    )

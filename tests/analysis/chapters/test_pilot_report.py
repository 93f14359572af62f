"""The page about a pilot: every part a co-author needs, with the numbers that were found."""

from __future__ import annotations

from scandl_analysis.chapters.pilot_report import build_pilot_report
from scandl_reports.document import Table, Viewer
from scandl_reports.plain import to_plain


def test_the_page_has_every_part(pilot_page):
    page = build_pilot_report(pilot_page)
    titles = [section.title for section in page.sections]
    assert titles == [
        "Stimuli and confounds",
        "Expected effects",
        "Power",
        "For the preregistration",
        "What this simulation cannot know",
        "Every number",
    ]
    blocks = [block for section in page.sections for block in section.blocks]
    assert any(isinstance(block, Viewer) for block in blocks)
    tables = {block.title: block for block in blocks if isinstance(block, Table)}
    assert len(tables["Power of every design"].rows) == len(pilot_page.power)
    assert len(tables["Expected effects, all regions"].rows) == len(pilot_page.effects)
    text = to_plain(page)
    for sentence in pilot_page.sentences():
        assert " ".join(sentence.split()) in " ".join(text.split())
    for about in pilot_page.about.values():
        assert about in " ".join(text.split())


def test_the_verdict_names_confounds_and_effects(pilot_page):
    said = {finding.about: finding.text for finding in build_pilot_report(pilot_page).verdict}
    assert said["Confounds"].startswith("The conditions differ in length, frequency")
    assert "TFT +" in said["ezreader expects"]
    assert "effects of ezreader" in said["Power"]

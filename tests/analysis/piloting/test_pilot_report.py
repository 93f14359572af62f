"""The page about a pilot: every part a co-author needs, with the numbers that were found."""

from __future__ import annotations

from scandl_analysis.piloting.pilot_report import ITEMS, READERS, build_pilot_report, example_viewer
from scandl_analysis.piloting.reading_pool import Lesson, ReadTask, planned_measure, read
from scandl_reports.document import Table, Viewer
from scandl_reports.plain import to_plain


def test_the_page_has_every_part(piloted):
    page = build_pilot_report(piloted)
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
    assert len(tables["Power of every design"].rows) == len(piloted.power)
    assert len(tables["Expected effects, all regions"].rows) == len(piloted.effects)
    text = to_plain(page)
    for sentence in piloted.sentences():
        assert " ".join(sentence.split()) in " ".join(text.split())
    for about in piloted.about.values():
        assert about in " ".join(text.split())


def test_the_verdict_names_confounds_and_effects(piloted):
    said = {finding.about: finding.text for finding in build_pilot_report(piloted).verdict}
    assert said["Confounds"].startswith("The conditions differ in length, frequency")
    assert "TFT +" in said["ezreader expects"]
    assert "effects of ezreader" in said["Power"]


def test_examples_are_readings_of_the_pool(piloted):
    viewer = example_viewer(piloted)
    assert len(viewer.sentences) == ITEMS * 2
    assert {len(sentence.readings) for sentence in viewer.sentences} == {2 * READERS}
    lesson = Lesson(piloted.stimuli, (planned_measure("tfc"),), piloted.surprisals, "en", 1)
    pool = read(lesson, ReadTask("ezreader", 0, READERS))["sentence", "tfc"]
    first = viewer.sentences[0]
    counts = [len(reading.words) for reading in first.readings if reading.name.startswith("ezreader")]
    assert counts == pool[:, 0, 0].tolist()

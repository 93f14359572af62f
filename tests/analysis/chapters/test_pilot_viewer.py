"""The viewer shows the very readings that were analysed."""

from __future__ import annotations

from scandl_analysis.chapters.pilot_viewer import ITEMS, READERS, example_viewer
from scandl_analysis.piloting.planned_measures import planned_measure
from scandl_analysis.piloting.reading_pool import Lesson, ReadTask, read


def test_examples_are_readings_of_the_pool(pilot_page):
    viewer = example_viewer(pilot_page)
    assert len(viewer.sentences) == ITEMS * 2
    assert {len(sentence.readings) for sentence in viewer.sentences} == {2 * READERS}
    lesson = Lesson(pilot_page.stimuli, (planned_measure("tfc"),), pilot_page.surprisals, "en", 1)
    pool = read(lesson, ReadTask("ezreader", 0, READERS))["sentence", "tfc"]
    first = viewer.sentences[0]
    counts = [len(reading.words) for reading in first.readings if reading.name.startswith("ezreader")]
    assert counts == pool[:, 0, 0].tolist()

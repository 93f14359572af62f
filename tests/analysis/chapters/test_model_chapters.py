from __future__ import annotations

import pytest

from scandl.errors import DataError
from scandl_analysis.chapters.model_chapters import (
    MOST_POINTS,
    decoding_sections,
    learning_sections,
    missing_model_notes,
    model_sections,
    steps_sections,
)


def test_what_is_missing_is_said_with_its_command(tmp_path):
    assert [note.text.split("'")[1].split(" …")[0] for note in missing_model_notes(tmp_path)] == [
        "scandl train",
        f"scandl-eval steps --model {tmp_path / 'training/last.pt'}",
        f"scandl inspect --model {tmp_path / 'training/last.pt'}",
    ]


def test_what_is_there_is_a_chapter_and_not_missing(tmp_path):
    (tmp_path / "training").mkdir()
    (tmp_path / "training" / "log.csv").write_text("step,loss\n1,0.5\n")
    (tmp_path / "steps.csv").write_text("steps,nld,energy,diversity\n10,0.5,0.1,1.0\n")
    (tmp_path / "decoding.csv").write_text("step,settled_share\n1,0.5\n0,1.0\n")
    assert [section.title for section in model_sections(tmp_path)] == [
        "Training",
        "Few-step sampling",
        "Decoding progress",
    ]
    assert missing_model_notes(tmp_path) == []


LOG = "step,loss,lr,seconds,name,value\n50,0.5,0.1,1.0,,\n50,,,,valid,0.7\n100,0.25,0.1,2.0,,\n"


def test_curves_are_the_losses_of_the_log(tmp_path):
    (tmp_path / "models" / "scandl").mkdir(parents=True)
    (tmp_path / "models" / "scandl" / "log.csv").write_text(LOG)
    (section,) = learning_sections(tmp_path)
    assert [row[:3] for row in section.blocks[0].data.rows] == [
        ("models/scandl", 50.0, 0.5),
        ("models/scandl", 100.0, 0.25),
    ]


def test_no_log_no_chapter(tmp_path):
    assert learning_sections(tmp_path) == []


def test_a_broken_line_is_named(tmp_path):
    (tmp_path / "log.csv").write_text(LOG.replace("0.25", "low"))
    with pytest.raises(DataError, match=r"log.csv:4: column 'loss': found 'low', expected a number"):
        learning_sections(tmp_path)


TABLE = """steps,n,nld,nld_low,nld_high,energy,energy_low,energy_high,diversity,diversity_low,diversity_high,repaired
50,85,0.6,0.55,0.65,0.08,0.05,0.1,0.9,,,0.25
10,85,0.61,0.56,0.66,0.2,0.15,0.25,0.7,,,0.5
"""


def test_points_and_intervals_are_those_of_the_table(tmp_path):
    (tmp_path / "training").mkdir()
    (tmp_path / "training" / "steps.csv").write_text(TABLE)
    (section,) = steps_sections(tmp_path)
    (figure,) = section.blocks
    assert [row for row in figure.data.rows if row[1] == "energy distance"] == [
        ("training", "energy distance", 10, 0.2, (0.15, 0.25)),
        ("training", "energy distance", 50, 0.08, (0.05, 0.1)),
    ]
    assert [row[2:] for row in figure.data.rows if row[1] == "diversity"] == [
        (10, 0.7, None),
        (50, 0.9, None),
    ]
    assert [row[3] for row in figure.data.rows if row[1] == "share repaired"] == [0.5, 0.25]


def test_a_table_without_repairs_has_the_other_panels(tmp_path):
    (tmp_path / "steps.csv").write_text("steps,nld,energy,diversity\n10,0.5,0.1,1.0\n")
    (section,) = steps_sections(tmp_path)
    assert {row[1] for row in section.blocks[0].data.rows} == {"NLD", "energy distance", "diversity"}
    assert {row[0] for row in section.blocks[0].data.rows} == {tmp_path.name}


def test_no_table_no_chapter(tmp_path):
    assert steps_sections(tmp_path) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [("steps,nld\n1,0.5\n", "column 'energy'"), (TABLE.replace("0.08", "low"), "column 'energy'")],
)
def test_a_broken_table_is_named(tmp_path, text, message):
    (tmp_path / "steps.csv").write_text(text)
    with pytest.raises(DataError, match=message):
        steps_sections(tmp_path)


PLACES = "step,position,kind,x,y\n29,0,sentence,1.5,-2\n29,1,PAD,0,0\n0,0,sentence,1,1\n0,1,PAD,2,2\n"


def test_curve_and_places_are_those_of_the_tables(tmp_path):
    (tmp_path / "decoding.csv").write_text("step,settled_share\n29,0.25\n0,1.0\n")
    (tmp_path / "decoding-places.csv").write_text(PLACES)
    (section,) = decoding_sections(tmp_path)
    curve, frames = section.blocks
    assert [row[1:3] for row in curve.data.rows] == [(0.0, 1.0), (29.0, 0.25)]
    assert frames.data.rows == (
        ("sentence", "t = 29", 1.5, -2.0),
        ("PAD", "t = 29", 0.0, 0.0),
        ("sentence", "t = 0", 1.0, 1.0),
        ("PAD", "t = 0", 2.0, 2.0),
    )


def test_a_long_curve_is_thinned_with_both_ends(tmp_path):
    rows = "".join(f"{step},0.5\n" for step in range(1999, -1, -1))
    (tmp_path / "decoding.csv").write_text("step,settled_share\n" + rows)
    (section,) = decoding_sections(tmp_path)
    steps = [row[1] for row in section.blocks[0].data.rows]
    assert (len(steps), steps[0], steps[-1]) == (MOST_POINTS, 0.0, 1999.0)


def test_no_decoding_no_chapter(tmp_path):
    assert decoding_sections(tmp_path) == []


def test_broken_places_are_named(tmp_path):
    (tmp_path / "decoding-places.csv").write_text(PLACES.replace("1.5", "far"))
    with pytest.raises(DataError, match="column 'x'"):
        decoding_sections(tmp_path)

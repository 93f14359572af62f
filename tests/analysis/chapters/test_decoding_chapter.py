from __future__ import annotations

import pytest

from scandl.errors import DataError
from scandl_analysis.chapters.decoding_chapter import MOST_POINTS, decoding_sections

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


def test_no_table_no_chapter(tmp_path):
    assert decoding_sections(tmp_path) == []


def test_a_broken_table_is_named(tmp_path):
    (tmp_path / "decoding-places.csv").write_text(PLACES.replace("1.5", "far"))
    with pytest.raises(DataError, match="column 'x'"):
        decoding_sections(tmp_path)

from __future__ import annotations

import pytest

from scandl.errors import DataError
from scandl_analysis.chapters.few_steps_chapter import steps_sections

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

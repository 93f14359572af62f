from __future__ import annotations

import pytest

from scandl.errors import DataError
from scandl_analysis.chapters.learning_chapter import learning_sections

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

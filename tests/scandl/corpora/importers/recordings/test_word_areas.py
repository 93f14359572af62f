"""Areas of words: found by place as pymovements finds them, and the same from a table and a layout."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scandl.corpora.importers.delimited import read_delimited
from scandl.corpora.importers.recordings.word_areas import (
    METHODS,
    Areas,
    areas_of_layout,
    areas_of_table,
    on_lines,
)
from scandl.errors import DataError, ScandlError
from scandl.records import Sentence


def test_table_and_layout_agree(areas: dict[str, Areas], area_table: Path) -> None:
    read = areas_of_table(area_table, read_delimited(area_table).columns, {})
    assert list(read) == list(areas)
    for key, each in areas.items():
        assert read[key].words == each.words
        assert (read[key].boxes == each.boxes).all()
        assert read[key].lines == each.lines


def test_a_layout_that_wraps_breaks_between_words() -> None:
    wrapped, broken = (
        areas_of_layout({"s": Sentence("s", text)}, layout)["s"]
        for text, layout in (("The cat sat on mats.", "0,0,10,50,11"), ("The cat sat\non mats.", "0,0,10,50"))
    )
    assert (wrapped.boxes == broken.boxes).all()
    assert wrapped.lines == [[0, 1, 2], [3, 4]]


def test_places_are_found_as_pymovements_finds_them(areas: dict[str, Areas], area_table: Path) -> None:
    pm = pytest.importorskip("pymovements", reason="scandl[pymovements] is not installed")
    pl = pytest.importorskip("polars")
    stimulus = pm.stimulus.TextStimulus(
        pl.read_csv(area_table).filter(pl.col("item") == "s1").with_row_index("n"),
        aoi_column="IA_LABEL",
        start_x_column="IA_LEFT",
        start_y_column="IA_TOP",
        end_x_column="IA_RIGHT",
        end_y_column="IA_BOTTOM",
    )
    rng = np.random.default_rng(3)
    places = np.column_stack([rng.uniform(60, 800, 60).round(), rng.uniform(270, 450, 60).round()])
    places[:4] = areas["s1"].boxes[[0, 1, 8, 9], :2]  # corners belong to the area they begin
    theirs = [
        stimulus.get_aoi(row={"x": x, "y": y}, x_eye="x", y_eye="y")["n"].to_list()[0] for x, y in places
    ]
    ours = areas["s1"].words_at(places[:, 0], places[:, 1])
    assert [None if word < 0 else word for word in ours.tolist()] == theirs


def test_a_table_without_edges_names_all_that_is_missing() -> None:
    with pytest.raises(DataError) as caught:
        areas_of_table(Path("a.csv"), {"item": ["s"], "label": ["The"], "x1": ["3"]}, {})
    expected = "--column top=NAME --column right=NAME --column bottom=NAME"
    assert str(caught.value) == f"a.csv:1: found only the columns item, label, x1, expected {expected}"


@pytest.mark.parametrize("method", METHODS)
def test_drift_is_undone(method: str) -> None:
    pytest.importorskip("eyekit", reason="scandl[recordings] is not installed")
    text = "\n".join(
        ["The quick brown fox jumps over it", "the lazy dog and then it sleeps", "until the day comes"]
    )
    areas = areas_of_layout({"s": Sentence("s", text)}, "100,300,14,60")["s"]
    line = np.repeat([0, 1, 2], 8)
    x = np.tile(np.arange(110, 510, 50.0), 3)
    y = 330 + 60 * line + 26 + np.random.default_rng(1).normal(0, 5, 24)
    moved = on_lines(areas, x, y, np.arange(24) * 250.0, np.full(24, 200.0), method)
    assert moved.tolist() == (330.0 + 60 * line).tolist()
    assert (np.floor((y - 300) / 60) != line).any()  # by height alone some would be on the wrong line


def test_one_line_needs_no_method(areas: dict[str, Areas]) -> None:
    pytest.importorskip("eyekit", reason="scandl[recordings] is not installed")
    found = on_lines(
        areas["s2"], np.array([1.0, 2.0]), np.array([0.0, 9.0]), np.zeros(2), np.ones(2), "slice"
    )
    assert found.tolist() == [330.0, 330.0]


def test_lines_at_unequal_distances_are_refused(areas: dict[str, Areas]) -> None:
    pytest.importorskip("eyekit", reason="scandl[recordings] is not installed")
    boxes = np.array([[0, 0, 9, 10], [0, 20, 9, 30], [0, 60, 9, 70.0]])
    with pytest.raises(ScandlError, match="lines are 20 to 40 pixels apart, expected equal distances"):
        on_lines(Areas(("a", "b", "c"), boxes), np.zeros(3), np.zeros(3), np.zeros(3), np.ones(3), "slice")

"""Lines of fixations: every method undoes a drift that would put fixations on the next line."""

from __future__ import annotations

import numpy as np
import pytest

from scandl.corpora.importers.recordings.text_lines import METHODS, on_lines
from scandl.corpora.importers.recordings.word_areas import Areas, areas_of_layout
from scandl.errors import ScandlError
from scandl.records import Sentence

pytest.importorskip("eyekit", reason="scandl[recordings] is not installed")


@pytest.mark.parametrize("method", METHODS)
def test_drift_is_undone(method: str) -> None:
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
    found = on_lines(
        areas["s2"], np.array([1.0, 2.0]), np.array([0.0, 9.0]), np.zeros(2), np.ones(2), "slice"
    )
    assert found.tolist() == [330.0, 330.0]


def test_lines_at_unequal_distances_are_refused(areas: dict[str, Areas]) -> None:
    boxes = np.array([[0, 0, 9, 10], [0, 20, 9, 30], [0, 60, 9, 70.0]])
    with pytest.raises(ScandlError, match="lines are 20 to 40 pixels apart, expected equal distances"):
        on_lines(Areas(("a", "b", "c"), boxes), np.zeros(3), np.zeros(3), np.zeros(3), np.ones(3), "slice")

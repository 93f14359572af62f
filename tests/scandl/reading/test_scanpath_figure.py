"""The figure of scanpaths: written whole, by its ending, with nothing hidden."""

from __future__ import annotations

from pathlib import Path

import pytest

from scandl.errors import DataError
from scandl.reading.scanpath_figure import (
    check_figure_ending,
    save_scanpath_figure,
    scanpath_figure,
    word_centres,
)

WORDS = ("The", "cat", "sat.")


def test_centres_are_those_of_the_letters() -> None:
    """Held against the line itself: half of the word lies on either side."""
    line = " ".join(WORDS)
    for word, centre in zip(WORDS, word_centres(WORDS), strict=True):
        assert line.index(word) + len(word) / 2 == centre


def test_a_reading_is_a_row_with_its_name() -> None:
    figure = scanpath_figure(WORDS, {"Human": (0, 2, 1), "ScanDL": (0,)})
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["Human", "ScanDL"]
    assert [len(axes.patches) for axes in figure.axes] == [2, 0]  # saccades


def test_dots_on_one_word_do_not_hide_each_other() -> None:
    (axes,) = scanpath_figure(WORDS, {"m": (1, 1, 1)}).axes
    places = [line.get_xdata()[0] for line in axes.lines]
    assert len(set(places)) == 3


def test_files_are_written_by_their_ending(tmp_path: Path) -> None:
    save_scanpath_figure(tmp_path / "path.png", WORDS, {"m": (0, 1)})
    assert (tmp_path / "path.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(DataError, match=r"x\.xyz: found the ending '\.xyz', expected a figure: "):
        check_figure_ending("x.xyz")

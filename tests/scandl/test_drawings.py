"""Scanpaths drawn: lines by hand, figures written whole with nothing hidden, axes of one's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import matplotlib as mpl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import pyplot
from matplotlib.patches import Arc

from scandl.drawings import (
    REGRESSION,
    check_figure_ending,
    plot_scanpath,
    save_scanpath_figure,
    scanpath_figure,
    scanpath_lines,
    word_centres,
)
from scandl.errors import DataError, ScandlError
from scandl.records import Scanpath, Sentence

WORDS = ("The", "cat", "sat.")
TEXT = "The cat sat."


def test_numbers_stand_below_their_word_and_lines_are_broken_together() -> None:
    words = ["Dogs", "bark", "at", "cats."]
    assert scanpath_lines(words, [0, 3, 1, 1, 3], width=12) == ["Dogs bark", "1    3 4", "at cats.", "   2 5"]


@given(st.lists(st.integers(0, 5), max_size=12), st.integers(10, 60))
def test_the_path_can_be_read_off_the_drawing(path: list[int], width: int) -> None:
    words = ["w0", "w1", "w2", "w3", "w4", "w5"]
    lines = scanpath_lines(words, path, width)
    found: dict[int, int] = {}
    for above, below in zip(lines[::2], lines[1::2], strict=True):
        starts = [(above.index(word), n) for n, word in enumerate(words) if word in above]
        for (start, n), (stop, _) in zip(starts, [*starts[1:], (len(below) + 1, -1)], strict=True):
            found |= {int(number): n for number in below[start:stop].split()}
    assert [found[k] for k in sorted(found)] == path


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


@pytest.fixture(autouse=True)
def _no_window() -> Iterator[None]:
    before = mpl.get_backend()
    mpl.use("agg")
    yield
    pyplot.close("all")
    mpl.use(before)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (Scanpath("", "t1", (0, 2, 1), text=TEXT), None),
        (Scanpath("r1", "s1", (0, 2, 1)), TEXT),
        (Scanpath("r1", "s1", (0, 2, 1)), Sentence("s1", TEXT)),
        ([0, 2, 1], TEXT),
    ],
)
def test_words_fixations_and_saccades_are_drawn(path: Scanpath | list[int], text: str | None) -> None:
    axes = plot_scanpath(path, text)
    shown = [each.get_text() for each in axes.texts]
    assert shown == ["The", "cat", "sat.", "1", "2", "3"]
    arcs = [patch for patch in axes.patches if isinstance(patch, Arc)]
    assert [mpl.colors.to_hex(arc.get_edgecolor()).upper() == REGRESSION for arc in arcs] == [False, True]


def test_it_draws_where_it_is_told() -> None:
    _, (left, right) = pyplot.subplots(1, 2)
    assert plot_scanpath([0], TEXT, axes=right) is right
    assert not left.texts
    assert len(pyplot.get_fignums()) == 1


def test_what_cannot_be_drawn() -> None:
    with pytest.raises(ScandlError, match="the words of sentence 's1' are not known: give them with text="):
        plot_scanpath(Scanpath("r1", "s1", (0,)))
    with pytest.raises(ScandlError, match="the words of the sentence are not known"):
        plot_scanpath([0])
    with pytest.raises(
        ScandlError, match=r"found position 3, expected positions 0\.\.2: the sentence has 3 words"
    ):
        plot_scanpath([0, 3], TEXT)
    with pytest.raises(ScandlError, match="found position -1"):
        plot_scanpath([-1], TEXT)

"""A scanpath on matplotlib axes."""

from __future__ import annotations

from collections.abc import Iterator

import matplotlib as mpl
import pytest
from matplotlib import pyplot
from matplotlib.patches import Arc

from scandl.errors import ScandlError
from scandl.reading.scanpath_figure import REGRESSION
from scandl.reading.scanpath_plot import plot_scanpath
from scandl.records import Scanpath, Sentence

TEXT = "The cat sat."


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

"""Pictures of scanpaths: every fixation and saccade is there, above or below, and files are written whole."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import matplotlib as mpl
import pytest
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Ellipse, PathPatch

from scandl.drawings.page import set_page
from scandl.drawings.picture import (
    FORWARD,
    MOST,
    REGRESSION,
    Sheet,
    Trace,
    check_figure_ending,
    draw_reading,
    expected_times,
    heat_figure,
    plot_scanpath,
    readings_figure,
    save_figure,
    scanpath_figure,
)
from scandl.errors import DataError, ScandlError
from scandl.records import Prediction, Scanpath, Sentence

WORDS = ("The", "cat", "sat.")
TEXT = "The cat sat."


def dots(axes: Axes) -> list[Ellipse]:
    return [patch for patch in axes.patches if isinstance(patch, Ellipse)]


def arcs(axes: Axes) -> list[PathPatch]:
    return [patch for patch in axes.patches if isinstance(patch, PathPatch)]


def colour(patch: PathPatch) -> str:
    return mpl.colors.to_hex(patch.get_edgecolor()).upper()


def test_a_reading_is_a_row_with_its_name() -> None:
    figure = scanpath_figure(WORDS, [Trace("Human", (0, 2, 1)), Trace("ScanDL", (0,))])
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["Human", "ScanDL"]
    assert [len(dots(axes)) for axes in figure.axes] == [3, 1]
    assert [len(arcs(axes)) for axes in figure.axes] == [2, 0]


def test_forward_saccades_are_above_and_regressions_below() -> None:
    trace = Trace("", (0, 2, 1))
    axes, sheet = Figure().subplots(), Sheet.of(set_page(WORDS), trace)
    draw_reading(axes, sheet, trace)
    there, back = arcs(axes)
    assert (colour(there), colour(back)) == (FORWARD, REGRESSION)
    assert there.get_path().vertices[:, 1].max() < sheet.text_y[0] < back.get_path().vertices[:, 1].min()


def test_dots_on_one_word_do_not_hide_each_other() -> None:
    (axes,) = scanpath_figure(WORDS, [Trace("m", (1, 1, 1))]).axes
    boxes = [(dot.center[1] - dot.height / 2, dot.center[1] + dot.height / 2) for dot in dots(axes)]
    assert all(above[1] < below[0] for above, below in itertools.pairwise(boxes))


def test_the_area_of_a_dot_goes_with_the_duration() -> None:
    (axes,) = scanpath_figure(WORDS, [Trace("m", (0, 1, 2), (180.0, 360.0, 9000.0))]).axes
    short, double, endless = (dot.width * dot.height for dot in dots(axes))
    assert double / short == pytest.approx(2.0)
    assert endless < 3 * short  # bounded, or it would hide the words


@pytest.mark.parametrize("seed", range(5))
def test_nothing_leaves_the_axes_and_lines_keep_apart(seed: int) -> None:
    rng = random.Random(seed)
    words = ["w" * rng.randint(1, 9) for _ in range(40)]
    trace = Trace("", tuple(rng.randrange(40) for _ in range(60)))
    axes, sheet = Figure().subplots(), Sheet.of(set_page(words, 50), trace)
    draw_reading(axes, sheet, trace)
    low, high = sorted(axes.get_ylim())
    for patch in axes.patches:
        if isinstance(patch, Ellipse):
            line = next(n for n, y in reversed(list(enumerate(sheet.text_y))) if patch.center[1] > y)
            assert patch.center[1] + patch.height / 2 < [*sheet.text_y, high + 1][line + 1]
        else:
            ys = patch.get_path().vertices[:, 1]
            assert low <= ys.min() + 1
            assert ys.max() - 1 <= high


def test_expected_times_are_means_over_readers() -> None:
    """Held against sums written as loops; readings without a time count fixations."""
    rng = random.Random(3)
    traces = []
    for k in range(7):
        n = rng.randint(1, 9)
        times = tuple(rng.uniform(80, 500) for _ in range(n))
        traces.append(Trace(f"r{k}", tuple(rng.randrange(4) for _ in range(n)), times))
    found, unit = expected_times(traces, 4)
    for word in range(4):
        total = sum(
            d for t in traces for p, d in zip(t.positions, t.durations or (), strict=True) if p == word
        )
        assert found[word] == pytest.approx(total / 7)
    assert unit == "ms per reader (mean of 7)"
    assert expected_times([Trace("a", (0, 0)), Trace("b", (1,))], 2) == (
        [1.0, 0.5],
        "fixations per reader (mean of 2)",
    )


def test_many_readings_become_a_strip_of_times() -> None:
    traces = [Trace(f"r{k}", (0, 1), (100.0, 300.0)) for k in range(MOST + 1)]
    few, many = (readings_figure(WORDS, traces[:n], "people") for n in (MOST, MOST + 1))
    assert len(few.axes) == MOST
    assert many.axes[0].get_title(loc="left") == "people"
    grounds = [mpl.colors.to_rgb(patch.get_facecolor()) for patch in many.axes[0].patches]
    lightness = [sum(ground) for ground in grounds]
    assert lightness[2] > lightness[0] > lightness[1]  # the longer, the darker


def test_a_strip_of_words_nobody_looked_at_is_drawn() -> None:
    assert heat_figure(WORDS, [0.0, 0.0, 0.0], title="", unit="ms").axes


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_files_are_written_by_their_ending(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"path.{ending}"
    save_figure(path, lambda: scanpath_figure(WORDS, [Trace("m", (0, 1))]), WORDS)
    starts = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    assert path.read_bytes().startswith(starts[ending])


def test_an_svg_keeps_the_letters_for_any_script(tmp_path: Path) -> None:
    words = ["हर", "जहाज"]
    assert save_figure(tmp_path / "a.svg", lambda: scanpath_figure(words, [Trace("m", (0,))]), words) == []
    assert "जहाज" in (tmp_path / "a.svg").read_text(encoding="utf-8")


def test_endings_that_are_no_picture_are_refused() -> None:
    with pytest.raises(DataError, match=r"x\.xyz: found the ending '\.xyz', expected a figure: "):
        check_figure_ending("x.xyz")
    with pytest.raises(DataError, match=r"x\.gif: found the ending '\.gif', expected --animate"):
        check_figure_ending("x.gif")


def test_scanpaths_and_predictions_are_drawn_alike() -> None:
    path = Scanpath("r", "s", (0, 1), (100.0, 200.0))
    assert Trace.of("x", path) == Trace.of("x", Prediction("s", (0, 1), durations=(100.0, 200.0)))


def test_axes_of_a_notebook() -> None:
    axes = plot_scanpath(Scanpath("", "t1", (0, 2, 1), text=TEXT))
    assert len(dots(axes)) == 3
    mine = Figure().subplots()
    assert plot_scanpath([0, 1], Sentence("s1", TEXT), axes=mine) is mine


def test_dollars_are_no_mathematics() -> None:
    axes = plot_scanpath([0], "$x$ ^2", axes=Figure().subplots())
    axes.figure.canvas.draw()
    assert axes.texts[0].get_text() == "$x$"


def test_a_path_that_leaves_its_sentence_is_refused() -> None:
    with pytest.raises(ScandlError, match=r"plot_scanpath: found position 3, expected positions 0\.\.2"):
        plot_scanpath([0, 3], TEXT)


@pytest.fixture(autouse=True)
def _no_window() -> Iterator[None]:
    before = mpl.get_backend()
    mpl.use("agg")
    yield
    pyplot.close("all")
    mpl.use(before)

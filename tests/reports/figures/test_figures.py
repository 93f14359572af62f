from __future__ import annotations

import itertools
import re
from xml.etree import ElementTree

import matplotlib.figure
import pytest

from scandl_reports.document import Figure, Note
from scandl_reports.figures import forest, intervals
from scandl_reports.figures.boxes import Box, boxes_figure
from scandl_reports.figures.chart import About
from scandl_reports.figures.curves import _log_scale, curve_panels_figure, curves_figure
from scandl_reports.figures.frames import frames_figure
from scandl_reports.figures.heatmap import heatmap_figure
from scandl_reports.figures.intervals import Estimate, Panel, interval_figure
from scandl_reports.figures.plane import plane_figure
from scandl_reports.figures.rootogram import Bin, rootogram_figure
from scandl_reports.figures.scanpaths import scanpaths_figure
from scandl_reports.figures.scatter import scatter_figure
from scandl_reports.figures.shares import shares_figure
from scandl_reports.palette import looks
from scandl_reports.svg import INK

NAMES = ("markov", "a $x^2$ & <b>", "👁 日本 שלום", "w" * 400)
ABOUT = About("Title", "alt", "caption")
ONE, TWO = Estimate(0.5, (0.4, 0.6)), Estimate(0.25)


def figures(names):
    """Every kind of figure for some names."""
    cell = forest.Cell("sr", "frequency")
    return {
        "intervals": lambda: interval_figure(ABOUT, [Panel("NLD", dict.fromkeys(names, ONE), TWO)]),
        "plane": lambda: plane_figure(ABOUT, dict.fromkeys(names, (ONE, TWO)), x_label="x", y_label="y"),
        "shares": lambda: shares_figure(
            ABOUT, ("0", "1"), ("Human", (0.25, 0.75)), dict.fromkeys(names, (0.5, 0.5)), x_label="x"
        ),
        "rootogram": lambda: rootogram_figure(
            ABOUT, dict.fromkeys(names, (Bin(4, 9, (1, 16)), Bin(1, 1, (0, 4)))), x_label="tfc"
        ),
        "scatter": lambda: scatter_figure(
            ABOUT, {n: [("p", 1.0, 2.0)] for n in names}, x_label="x", y_label="y"
        ),
        "forest": lambda: forest.forest_figure(
            ABOUT,
            {n: {cell: ONE} for n in names},
            measures=("sr", "tfc"),
            predictors=("frequency", "surprisal"),
        ),
        "heatmap": lambda: heatmap_figure(ABOUT, ("c1", "c2"), dict.fromkeys(names, (0.5, None))),
        "boxes": lambda: boxes_figure(
            ABOUT, {"first": dict.fromkeys(names, Box(0, 1, 2, 3, 4, 2.5))}, reference="markov"
        ),
        "curves": lambda: curves_figure(
            ABOUT, {n: [(1.0, ONE), (10.0, TWO)] for n in names}, x_label="steps", y_label="loss", log_x=True
        ),
        "curve panels": lambda: curve_panels_figure(
            ABOUT,
            {q: {n: [(1.0, ONE), (10.0, TWO)] for n in names} for q in ("NLD", "energy", "diversity")},
            x_label="steps",
        ),
        "frames": lambda: frames_figure(
            ABOUT, {f"t = {k}": [(n, 1.0, 2.0) for n in names] for k in range(7)}
        ),
        "scanpaths": lambda: scanpaths_figure(
            ABOUT, ("The", "w" * 400, "$sat$"), dict.fromkeys(names, (0, 1, 0))
        ),
    }


KINDS = tuple(figures(NAMES))


@pytest.mark.parametrize("kind", KINDS)
def test_any_name_is_drawn_and_stands_whole_in_the_data(kind):
    drawn = figures(NAMES)[kind]()
    assert isinstance(drawn, Figure)
    assert set(NAMES) <= {row[0] for row in drawn.data.rows}
    root = ElementTree.fromstring(drawn.svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert (drawn.title, drawn.alt, drawn.caption) == ("Title", "alt", "caption")


@pytest.mark.parametrize("kind", KINDS)
def test_no_data_is_a_note_and_no_empty_box(kind):
    found = figures(())[kind]()
    assert found == Note("No figure “Title”: there are no numbers to draw.", "missing")


@pytest.mark.parametrize("kind", ["intervals", "scatter", "heatmap"])
def test_same_numbers_same_bytes(kind):
    assert figures(NAMES)[kind]() == figures(NAMES)[kind]()


@pytest.mark.parametrize(
    "kind", ["intervals", "plane", "shares", "scatter", "forest", "curves", "curve panels"]
)
def test_a_name_has_its_colour_in_every_figure(kind):
    names = ("markov", "some new model")
    svg = figures(names)[kind]().svg
    for look in looks(names).values():
        assert look.colour in svg


def test_lines_lie_where_the_numbers_are():
    """Three values at equal distances give three dots at equal distances."""
    panel = Panel("x", {name: Estimate(value) for name, value in (("a", 1.0), ("b", 2.0), ("c", 3.0))})
    svg = interval_figure(ABOUT, [panel]).svg
    colours = looks("abc")
    places = {}
    for use in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}use"):
        for name, look in colours.items():
            if look.colour in use.get("style", "") and use.get("x"):
                places[name] = (float(use.get("x")), float(use.get("y")))
    (xa, ya), (xb, yb), (xc, yc) = (places[name] for name in "abc")
    assert xb - xa == pytest.approx(xc - xb, abs=0.02)
    assert xb > xa
    assert ya < yb < yc


def test_what_is_not_separable_from_the_best_is_filled():
    def faces(tied):
        svg = interval_figure(ABOUT, [Panel("x", {"markov": Estimate(1.0, None, tied)})]).svg
        return re.findall(r"fill:(#00936b|none);stroke:#00936b", svg) or re.findall(r"fill:(#00936b)", svg)

    assert faces(True)
    assert faces(False) != faces(True)


def test_forest_leaves_out_what_nobody_has():
    """Of four panels three would be empty."""
    cell = forest.Cell("sr", "frequency")
    drawn = forest.forest_figure(
        ABOUT, {"human": {cell: ONE}}, measures=("sr", "tfc"), predictors=("frequency", "surprisal")
    )
    alone = forest.forest_figure(ABOUT, {"human": {cell: ONE}}, measures=("sr",), predictors=("frequency",))
    assert drawn.svg == alone.svg
    assert drawn.data.rows == (("human", "sr", "frequency", 0.5, (0.4, 0.6)),)


def test_text_on_coloured_cells_does_not_follow_the_theme():
    svg = heatmap_figure(ABOUT, ("c1", "c2"), {"m": (-1.0, 0.1)}, {("m", 0): "*"}).svg
    assert "#ffffff" in svg
    assert "#111418" in svg
    assert INK != "#111418"


@pytest.mark.parametrize("xs", [(1.0,), (10.0, 50.0, 2000.0), tuple(float(k) for k in range(1, 40))])
def test_a_logarithmic_axis_has_plain_numbers(xs):
    axes = matplotlib.figure.Figure().subplots()
    _log_scale(axes, xs)
    written = [tick.get_text() for tick in axes.get_xticklabels()]
    assert 1 <= len(written) <= 7
    assert set(map(float, written)) <= set(xs)


def test_titles_of_panels_are_whole_and_clear_of_each_other(monkeypatch):
    names = (
        "multimatch-direction-above-chance",
        "scasim-per-fixation",
        "diversity-ratio",
        "saccade-length-wasserstein",
    )
    kept = []
    monkeypatch.setattr(intervals, "drawn", lambda about, figure, data: kept.append(figure))
    interval_figure(ABOUT, [Panel(name, {"simplified-swift": ONE}) for name in names])
    (figure,) = kept
    figure.draw_without_rendering()
    titles = [axes.title if axes.title.get_text() else axes._left_title for axes in figure.axes]
    assert [title.get_text().replace("\n", "") for title in titles] == list(names)
    boxes = [title.get_window_extent() for title in titles]
    for left, right in itertools.pairwise(boxes):
        assert left.x1 < right.x0
    assert boxes[-1].x1 <= figure.bbox.x1
    assert max(box.y1 for box in boxes) <= figure.bbox.y1

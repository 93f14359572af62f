"""Estimates with their intervals, a panel for each quantity, or for each measure and predictor, and curves of them."""

from __future__ import annotations

import itertools
import re
from xml.etree import ElementTree

import matplotlib.figure
import pytest

from scandl_reports.figures import estimates
from scandl_reports.figures.chart import looks
from scandl_reports.figures.estimates import (
    Estimate,
    EstimatePanel,
    _log_scale,
    curve_panels_figure,
    curves_figure,
    heatmap_figure,
    interval_figure,
)
from scandl_reports.svg import INK

ONE, TWO = Estimate(0.5, (0.4, 0.6)), Estimate(0.25)


def rows_of_intervals(about, names):
    return interval_figure(about, [EstimatePanel("NLD", dict.fromkeys(names, ONE), TWO)])


def test_lines_lie_where_the_numbers_are(about):
    """Three values at equal distances give three dots at equal distances."""
    panel = EstimatePanel(
        "x", {name: Estimate(value) for name, value in (("a", 1.0), ("b", 2.0), ("c", 3.0))}
    )
    svg = interval_figure(about, [panel]).svg
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


def test_what_is_not_separable_from_the_best_is_filled(about):
    def faces(tied):
        svg = interval_figure(about, [EstimatePanel("x", {"markov": Estimate(1.0, None, tied)})]).svg
        return re.findall(r"fill:(#00936b|none);stroke:#00936b", svg) or re.findall(r"fill:(#00936b)", svg)

    assert faces(True)
    assert faces(False) != faces(True)


def test_titles_of_panels_are_whole_and_clear_of_each_other(about, monkeypatch):
    names = (
        "multimatch-direction-above-chance",
        "scasim-per-fixation",
        "diversity-ratio",
        "saccade-length-wasserstein",
    )
    kept = []
    monkeypatch.setattr(estimates, "drawn", lambda about, figure, data: kept.append(figure))
    interval_figure(about, [EstimatePanel(name, {"simplified-swift": ONE}) for name in names])
    (figure,) = kept
    figure.draw_without_rendering()
    titles = [axes.title if axes.title.get_text() else axes._left_title for axes in figure.axes]
    assert [title.get_text().replace("\n", "") for title in titles] == list(names)
    boxes = [title.get_window_extent() for title in titles]
    for left, right in itertools.pairwise(boxes):
        assert left.x1 < right.x0
    assert boxes[-1].x1 <= figure.bbox.x1
    assert max(box.y1 for box in boxes) <= figure.bbox.y1


CELL = estimates.Cell("sr", "frequency")


def forest(about, names):
    return estimates.forest_figure(
        about, {n: {CELL: ONE} for n in names}, measures=("sr", "tfc"), predictors=("frequency", "surprisal")
    )


def test_forest_leaves_out_what_nobody_has(about):
    """Of four panels three would be empty."""
    cell = estimates.Cell("sr", "frequency")
    drawn = estimates.forest_figure(
        about, {"human": {cell: ONE}}, measures=("sr", "tfc"), predictors=("frequency", "surprisal")
    )
    alone = estimates.forest_figure(
        about, {"human": {cell: ONE}}, measures=("sr",), predictors=("frequency",)
    )
    assert drawn.svg == alone.svg
    assert drawn.data.rows == (("human", "sr", "frequency", 0.5, (0.4, 0.6)),)


def heatmap(about, names):
    return heatmap_figure(about, ("c1", "c2"), dict.fromkeys(names, (0.5, None)))


def test_text_on_coloured_cells_does_not_follow_the_theme(about):
    svg = heatmap_figure(about, ("c1", "c2"), {"m": (-1.0, 0.1)}, {("m", 0): "*"}).svg
    assert "#ffffff" in svg
    assert "#111418" in svg
    assert INK != "#111418"


@pytest.mark.parametrize("figure", [rows_of_intervals, forest, heatmap])
def test_it_keeps_the_laws(keeps_the_laws, figure):
    keeps_the_laws(figure)


@pytest.mark.parametrize("figure", [rows_of_intervals, forest])
def test_names_have_their_colours(colours_its_names, figure):
    colours_its_names(figure)


def curves(about, names):
    return curves_figure(
        about, {n: [(1.0, ONE), (10.0, TWO)] for n in names}, x_label="steps", y_label="loss", log_x=True
    )


def panels(about, names):
    return curve_panels_figure(
        about,
        {q: {n: [(1.0, ONE), (10.0, TWO)] for n in names} for q in ("NLD", "energy", "diversity")},
        x_label="steps",
    )


def test_it_keeps_the_laws_of_curves(keeps_the_laws):
    keeps_the_laws(curves)


def test_names_have_their_colours_of_curves(colours_its_names):
    colours_its_names(curves)


def test_it_keeps_the_laws_of_panels(keeps_the_laws):
    keeps_the_laws(panels)


def test_names_have_their_colours_of_panels(colours_its_names):
    colours_its_names(panels)


@pytest.mark.parametrize("xs", [(1.0,), (10.0, 50.0, 2000.0), tuple(float(k) for k in range(1, 40))])
def test_a_logarithmic_axis_has_plain_numbers(xs):
    axes = matplotlib.figure.Figure().subplots()
    _log_scale(axes, xs)
    written = [tick.get_text() for tick in axes.get_xticklabels()]
    assert 1 <= len(written) <= 7
    assert set(map(float, written)) <= set(xs)

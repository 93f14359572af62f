"""Sources beside each other: shares, counts, pairs of numbers, two quantities, scanpaths."""

from __future__ import annotations

import pytest

from scandl.drawings.picture import Trace
from scandl_reports.figures.comparisons import (
    Bin,
    plane_figure,
    rootogram_figure,
    scanpaths_figure,
    scatter_figure,
    shares_figure,
)
from scandl_reports.figures.estimates import Estimate


def shares(about, names):
    return shares_figure(
        about, ("0", "1"), ("Human", (0.25, 0.75)), dict.fromkeys(names, (0.5, 0.5)), x_label="x"
    )


def test_the_reference_comes_first_in_the_data(about):
    drawn = shares_figure(about, ("0", "1"), ("Human", (0.25, 0.75)), {"m": (0.5, 0.5)}, x_label="fixations")
    assert drawn.data.rows == (("Human", "0", 0.25), ("Human", "1", 0.75), ("m", "0", 0.5), ("m", "1", 0.5))


def rootogram(about, names):
    return rootogram_figure(
        about, dict.fromkeys(names, (Bin(4, 9, (1, 16)), Bin(1, 1, (0, 4)))), x_label="tfc"
    )


def pairs(about, names):
    return scatter_figure(about, {n: [("p", 1.0, 2.0)] for n in names}, x_label="x", y_label="y")


ONE, TWO = Estimate(0.5, (0.4, 0.6)), Estimate(0.25)


def plane(about, names):
    return plane_figure(about, {"ns": dict.fromkeys(names, (ONE, TWO))}, x_label="x", y_label="y")


def test_the_data_has_both_values_with_their_intervals(about):
    drawn = plane_figure(
        about, {"ns": {"m": (ONE, TWO)}, "nr": {"n": (TWO, ONE)}}, x_label="NLD", y_label="energy"
    )
    assert [column.name for column in drawn.data.columns] == [
        "name",
        "setting",
        "NLD",
        "NLD 95 %",
        "energy",
        "energy 95 %",
    ]
    assert drawn.data.rows == (
        ("m", "ns", 0.5, (0.4, 0.6), 0.25, None),
        ("n", "nr", 0.25, None, 0.5, (0.4, 0.6)),
    )


def scanpaths(about, names):
    return scanpaths_figure(about, ("The", "w" * 400, "$sat$"), [Trace(name, (0, 1, 0)) for name in names])


def test_the_data_has_a_row_per_fixation(about):
    drawn = scanpaths_figure(about, ("The", "cat"), [Trace("Human", (0, 1, 0))])
    assert drawn.data.rows == (("Human", 0, 0, "The"), ("Human", 1, 1, "cat"), ("Human", 2, 0, "The"))


@pytest.mark.parametrize("figure", [shares, rootogram, pairs, plane, scanpaths])
def test_it_keeps_the_laws(keeps_the_laws, figure):
    keeps_the_laws(figure)


@pytest.mark.parametrize("figure", [shares, pairs, plane])
def test_names_have_their_colours(colours_its_names, figure):
    colours_its_names(figure)

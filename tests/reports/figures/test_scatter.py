"""Pairs of numbers, and points with intervals, of several sources."""

from __future__ import annotations

import pytest

from scandl_reports.figures.estimates import Estimate
from scandl_reports.figures.scatter import plane_figure, scatter_figure


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


@pytest.mark.parametrize("figure", [pairs, plane])
def test_it_keeps_the_laws(keeps_the_laws, figure):
    keeps_the_laws(figure)


@pytest.mark.parametrize("figure", [pairs, plane])
def test_names_have_their_colours(colours_its_names, figure):
    colours_its_names(figure)
